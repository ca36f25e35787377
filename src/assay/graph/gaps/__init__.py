"""What to fetch or mend first, by the answers that it costs."""
