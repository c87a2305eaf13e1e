"""A machine player with reasons, in thirty lines: a captain of USS Lox who wants good odds for each torpedo."""

from typing import Any

import navalkit as nk
from navalkit.core.trace import Decision, Fact, Option
from navalkit.games.uss_lox import odds
from navalkit.games.uss_lox.state import Attack


class Thrifty:
    """Fires as few torpedoes as sink the target with the chance it wants; else lets her go."""

    title, games = "The thrifty captain", ("uss-lox",)

    def __init__(self, game: object, wanted: float = 0.6) -> None:
        self.wanted = wanted

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        shots = [action for action in legal if isinstance(action, Attack)]
        if not shots:
            return legal[0]  # an action alone will do; a reason is said where there is a choice to explain
        chances = {shot: odds.sink(seen.ship, shot.torpedoes, seen=seen.seen_cards) for shot in shots}
        good = [shot for shot in shots if chances[shot] >= self.wanted] or [legal[-1]]
        options = [Option(a, chances.get(a), (Fact("sinks her", chances[a]),) if a in chances else (),
                          "" if a == good[0] else "more than it takes" if a in good else "not what I want")
                   for a in legal]
        reason = f"The fewest that sink her with a chance of {self.wanted:.0%} or more; else she goes."
        return Decision(good[0], "thrifty", reason, options=tuple(options), unit="chance to sink her")


if __name__ == "__main__":
    match, thrifty = nk.Match.new("uss-lox", seed=2), nk.player(Thrifty, "uss-lox")
    while not match.over:
        match.play((decision := thrifty.decide(match.observe(), match.legal())).action)
        print(decision.explain() if decision.options else f"{decision.action}")
    print(match.outcome)
