"""Walking through decisions, those of any machine of any game: what a game says of them, and how one steps.

A match is a row of moments; at some somebody decides, and a decision has reasons. `walk` is what a game may say of
that, with a default for all of it; `shows` is what is walked through: a record, a seed, a position, a tour; `telling`
is where one is and what is told of it, `stepper` what one may do there, both without a widget.
"""
