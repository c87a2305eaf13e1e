"""The explorer: a question, its settings, and the answer drawn."""
