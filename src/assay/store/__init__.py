"""The database that judging and history share."""
