"""What is there of what should be there: by class, by a reference list, by relation, weighed by demand."""
