"""Evaluations over time: recorded, held against a baseline, watched for drift."""
