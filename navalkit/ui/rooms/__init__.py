"""What a room shows: the class's questions, the invitation, and the guest's own page."""
