"""Rooms: what lets phones, and a second player, into a page without a kernel of their own.

A room is a few rows in one SQLite file (`store`), the only link between the server and the kernels. Phones talk to the
server alone (`navalkit.serve.phones`); a kernel asks questions of a class (`classroom`) or shares a game (`table`)."""
