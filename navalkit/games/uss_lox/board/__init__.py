"""The board and the page as data: nothing else of the game draws."""
