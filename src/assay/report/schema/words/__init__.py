"""What the keys of the JSON documents mean: a file for each file of the folder above, one mapping for each record."""
