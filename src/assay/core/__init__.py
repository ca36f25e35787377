"""What is passed around: gold, runs, judged ranks, scores, and the policy that decides conventions."""
