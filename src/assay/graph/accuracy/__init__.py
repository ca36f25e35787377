"""How many statements are right, estimated from a drawn sample that people label."""
