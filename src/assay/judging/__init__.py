"""Making gold: which pairs to judge, who says what, how far they agree, what is agreed in the end."""
