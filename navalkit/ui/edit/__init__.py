"""Making a scenario: on the board, in a form, as text; and trying it, before anybody plays it."""
