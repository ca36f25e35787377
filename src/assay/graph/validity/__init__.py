"""Which links keep the rules, and which statements look wrong."""
