"""The world made into gold and runs, or into judged ranks; one folder or file is one task."""
