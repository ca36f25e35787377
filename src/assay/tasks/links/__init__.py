"""Knowledge-graph completion: link predictors judged by where they rank the true entities."""
