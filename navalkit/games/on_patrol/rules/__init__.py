"""The game: the turn and its phases, the captain's orders, victory and notation."""
