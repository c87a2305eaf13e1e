"""What a finished game leaves: its report, the reader's bests, and the review of what decided it."""
