"""The audit: what is wrong or noteworthy with the inputs, in short beside each number and in full on its own."""
