"""Answers to the questions of a suite: asked for, measured, and what is known about the right ones."""
