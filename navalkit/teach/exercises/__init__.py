"""What an exercise is: its kind of answer, the formula of its reference, its family of numbers, and all that come with
navalkit (``shipped``)."""
