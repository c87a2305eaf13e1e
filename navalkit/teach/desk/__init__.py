"""A student's desk: asking, checking, and the history of what was tried."""
