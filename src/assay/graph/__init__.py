"""The graph itself: what is missing in it, what is wrong, and what both cost the questions that people ask."""
