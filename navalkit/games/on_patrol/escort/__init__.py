"""The escorts: what they know, how they decide and steer, and why."""
