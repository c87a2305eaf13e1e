"""Language at the edge: sentences by key, probabilities in words, and the rules in our words."""
