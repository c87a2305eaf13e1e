"""How a game is begun: the panel for a new game, its cards, and ships for squadrons of one's own."""
