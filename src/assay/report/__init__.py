"""Results made into something to look at: tables for the terminal, Markdown and LaTeX; JSON; pages of measures."""
