"""A machine player in ten lines: `python first_bot.py` plays it; pages and commands take it as `first_bot:Eager`."""
from typing import Any

from navalkit.players.meeting import Meeting


class Eager:
    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        plays = [action for action in legal if str(action).startswith("play")] or legal
        return plays[rng.integers(len(plays))]


if __name__ == "__main__":
    print(Meeting("wolf-pack").meet(Eager, "random", games=20, seed=1)[0])
