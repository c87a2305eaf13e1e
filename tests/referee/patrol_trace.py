"""Is what a trace says of an escort's move so? Every sentence is held against the sea as the referee remembers it, and
what it draws on the board against the path sailed."""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable
from typing import Any

from navalkit.games.on_patrol import decide
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from . import on_patrol as op
from .patrol_sea import hex_of
from .patrol_tables import Hunt

Facts = dict[str, Any]


def untrue_sentences(hunts: int, seed: int, longest: int, said: Counter[str]) -> list[str]:
    """Sentences of random hunts that are not so, each with what is wrong; ``said`` counts them by key."""
    wrong: list[str] = []
    for number in range(seed, seed + hunts):
        Hunt(number, told_untrue(wrong, said)).play(longest)
    return wrong


def told_untrue(wrong: list[str], said: Counter[str]) -> Callable[..., None]:
    """Watches a hunt: what the traces of its escorts say and is not so goes to ``wrong``."""

    def watch(house: Any, state: Any, sea: dict[str, Any], action: Any) -> None:
        if state.phase == 3:
            decision = decide(state, action.escort)
            where = f"\n{house!r}: {house.format_state(state)}\n{decision.explain()}"
            wrong.extend(f"{each}{where}" for each in Trace(sea, decision, said).untrue())

    return watch


def _place(place: Place) -> Any:
    return tuple(place.bow), place.direction


class Trace:
    """One decision, the sea before it, and the claims it makes."""

    def __init__(self, sea: dict[str, Any], decision: Any, said: Counter[str]) -> None:
        self.sea, self.decision, self.said = sea, decision, said
        self.ship = sea["ships"][decision.escort]
        self.start = self.ship["place"]
        self.marker = sea["markers"].get(self.ship["boat"])
        self.ramming = op.rams(sea, self.ship)
        self.target = self.marker and (self.marker["place"][0] if self.ramming else op.target_hex(self.marker))
        self.path = [_place(leg.place) for leg in decision.path]
        self.intended = [_place(leg.place) for leg in decision.intended]
        self.tops = {name: op.top(ship) for name, ship in sea["ships"].items()}
        self.station = op.post(sea, self.ship)
        chosen = [fact.value for finding in decision.findings for fact in finding.facts if fact.name == "at"]
        self.chose_at = _plain(chosen[0]) if chosen else self.start[0]
        self.no_go, self.taken = op.barred(sea, self.ship["id"], self.ramming)
        self.closures = set(op.closures(sea, self.ship["id"], self.ramming, returns=self.marker is None))
        self.lane: list[Any] = []
        """The straight part of the vector she sails."""

    def untrue(self) -> list[str]:
        """What is said and not so."""
        wrong: list[str] = []
        for finding in self.decision.findings:
            wrong += self.check(finding.facts)
            if finding.children:
                of_weapons = any(fact.value == "attack.spread" for fact in finding.facts)
                wrong += self.weapons(finding.children) if of_weapons else self.legs(finding.children)
        for option in self.decision.options[1:]:
            wrong += self.rejected(option)
        key, facts = self.decision.reason.key, dict(self.decision.reason.facts)
        self.said[key] += 1
        if not self.summary(key, facts):
            wrong.append(key)
        return wrong

    def check(self, all_facts: Any) -> list[str]:
        facts = {str(fact.name): _plain(fact.value) for fact in all_facts}
        key = facts.pop("board")
        self.said[key] += 1
        topic, _, rest = key.partition(".")
        claims: dict[str, Callable[[str, Facts], bool]] = {
            "mode": self.mode, "target": self.targeted, "ring": self.ring, "speed": self.speed, "change": self.change,
            "radial": self.radial, "vector": self.vector, "steer": self.steer, "avoid": self.avoid,
            "attack": self.attack,
        }  # fmt: skip
        wrong = [] if claims[topic](rest, facts) else [f"{key} {facts}"]
        return wrong + [f"{key} draws {mark}" for mark in _marks(all_facts) if not self.drawn(key, mark, facts)]

    # The marker and the target ------------------------------------------------------------------------------------

    def mode(self, key: str, facts: Facts) -> bool:
        if self.marker is None:
            return key == ("gone" if self.sea["found"] else "none") and facts["mode"] == 1
        same = (facts["boat"], facts["place"]) == (self.ship["boat"], self.marker["place"])
        kind, _, cause = key.partition(".")
        who = ", ".join(self.marker["by"])
        caused = not cause or (cause == self.marker["cause"] and facts["by"] == who)
        return same and caused and kind == self.marker["kind"] and facts["mode"] == op.MODES[kind]

    def targeted(self, key: str, facts: Facts) -> bool:
        bow = self.marker["place"][0]
        hex_ = {"ram": bow, "launch": bow, "ahead": op.go(*self.marker["place"])}[key]
        fits = {"ram": self.ramming, "launch": self.marker["kind"] == "torpedo", "ahead": not self.ramming}[key]
        return fits and facts == {"target": hex_, "bow": bow}

    # How fast -----------------------------------------------------------------------------------------------------

    def ring(self, key: str, facts: Facts) -> bool:
        away = op.far(self.start[0], self.target)
        if key == "kept":
            return facts["ring"] == self.ship["ring"]
        near = away < 12
        right = facts == {"distance": away, "ring": 6 if near else 12}
        return right and not self.ship["ring"] and near == (key == "inner")

    def speed(self, key: str, facts: Facts) -> bool:
        if key == "past":
            beyond = [n for n, place in enumerate(self.intended) if place == self.station]
            as_meant = list(self.path) == list(self.intended) and len(self.path) == self.ship["speed"] - 2
            return as_meant and facts["hexes"] == len(self.intended) - beyond[0] - 1
        if key == "station":
            return self.marker is None and facts["speed"] == len(self.intended) <= facts["top"]
        if key == "hemmed":
            return facts == {"now": self.ship["speed"], "hexes": len(self.path)} and facts["now"] > facts["hexes"] + 2
        if key == "slowest":
            slow = self.sea["ships"][facts["ship"]]
            on_it = op.far(slow["place"][0], self.target) == op.far(self.start[0], self.target)
            return on_it and slow["boat"] == self.ship["boat"] and facts["speed"] < self.tops[self.ship["id"]]
        search = {"search": self.marker["kind"] in ("torpedo", "inverted"),
                  "contact": self.marker["kind"] == "contact" and self.ship["boat"] in self.ship["contact"],
                  "full": op.wanted_speed(self.ship, self.marker) == op.top(self.ship)}[key]  # fmt: skip
        top = self.tops[self.ship["id"]]
        return search and facts == {"speed": top if key == "full" else min(top, op.SEARCH), "top": top}

    def change(self, _: str, facts: Facts) -> bool:
        now, speed, wanted = facts["now"], facts["speed"], facts["wanted"]
        by_two = abs(wanted - now) > 2 == abs(speed - now) and (wanted > now) == (speed > now)
        return by_two and now == self.ship["speed"]

    # Which way ----------------------------------------------------------------------------------------------------

    def radial(self, key: str, facts: Facts) -> bool:
        at = facts["at"]
        away = _off_radial(self.target, facts["direction"], at)
        least = min(_off_radial(self.target, d, at) for d in op.STEPS)
        if at == self.start[0]:
            return away == facts["distance"] == least and key == ("nearest" if away else "on")
        return away == facts["distance"] == least and key == "then" and at in [place[0] for place in self.intended]

    def vector(self, key: str, facts: Facts) -> bool:
        """The straight part of the way she sails from where she goes by vectors: how it ends, and how long it is."""
        passed = [self.start, *self.intended]
        begins = next(place for place in passed if place[0] == self.chose_at)
        (radial, course), way = op.vector(begins, self.target), [begins]
        first, left, from_here = (radial, course), len(self.intended) - passed.index(begins), 0
        ring = self.decision.circle.radius if self.decision.circle else None
        while not (at_ring := op.far(way[-1][0], self.target) == ring) and op.sector(self.target, way[-1][0])[2]:
            sixths = op.turn_to(way[-1][1], course)
            turning = abs(sixths) > 1
            way.append(op.enter(way[-1], 0 if sixths == 0 else -1 if sixths in (3, -1, -2) else 1))
            if turning and not self.ramming and ring is None and op.in_zone(way[-1], self.target):
                break
            left -= 1
            if not left and op.sector(self.target, way[-1][0])[2]:  # the next move begins here: out of the zone, anew
                if self.ramming or ring is not None or not op.in_zone(way[-1], self.target):
                    held, (radial, course) = radial, op.vector(way[-1], self.target)
                    from_here = from_here if radial == held else len(way) - 1
                left = self.decision.speed
        straight = 0
        while straight < len(way) - 1 - from_here and way[-1 - straight][1] == course:
            straight += 1
        self.lane = [place[0] for place in way[len(way) - straight :]]
        if not straight or (turning and key == "none"):
            return key == "none" and facts == {"course": first[1]}
        right = facts["course"] == course and facts["joins"] == way[-1][0]
        if op.sector(self.target, way[-1][0])[2]:  # the circle bars the way to the radial
            return right and key == "circle" and at_ring
        turned = "turned" if radial == first[0] else "anew"
        right = right and (key != "anew" or facts["towards"] == first[1])
        return right and facts["length"] == straight and key == ("taken" if straight == len(way) - 1 else turned)

    def steer(self, key: str, facts: Facts) -> bool:
        if key == "still":
            return not self.intended and not self.path
        if key == "station":
            return self.marker is None and facts == {"station": self.ship["station"], "place": self.station}
        first, (bow, course) = self.intended[0], self.start
        d, _, b = op.sector(self.target, bow)
        sixths = op.turn_to(course, op.turn(d, 3)) if d else 0
        circle = self.decision.circle
        if key == "plan":
            return self.ship["aim"] == self.target and first == self.ship["plan"][0]
        if key == "to_circle":
            return op.far(bow, self.target) <= circle.radius
        if key == "along_circle":
            return op.far(first[0], self.target) == op.far(bow, self.target) == circle.radius
        if key == "through":
            return (bow == self.target or op.in_zone(self.start, self.target)) and first == op.enter(self.start, 0)
        if key in ("vector", "onto_vector"):
            return b > 0 and (course == op.vector(self.start, self.target)[1]) == (key == "vector")
        if key in ("on_course", "inward", "shortest"):
            return b == 0 and ("on_course", "inward", "shortest").index(key) == abs(sixths)
        why, _, side = key.partition("_")
        ran_out = self.ship["ran"] == self.target and not op.in_zone(self.start, self.target)
        way = op.williamson(self.start, 1 if side == "starboard" else -1)
        port = op.is_clear(self.start, op.williamson(self.start, -1), self.no_go, self.taken)
        facing_away = b == 0 and abs(sixths) == 3
        return (ran_out if why == "back" else facing_away) and first == way[0] and (side == "port" or not port)

    def avoid(self, key: str, facts: Facts) -> bool:
        hexes = len(self.path)
        way = "stop" if not hexes else "slow" if hexes < len(self.intended) else "parallel"
        entered = facts["entered"]
        at = [self.start, *self.intended][entered]
        following = self.intended[entered] if entered < len(self.intended) else at
        near = {following[0], op.stern(following), op.stern((at[0], following[1]))}
        right = key == way and (facts["hexes"], facts["speed"]) == (hexes, len(self.intended)) and facts["hex"] in near
        why = facts["why"]
        same = all(_plain(dict(why.facts)[name]) == facts[name] for name in ("hex", "whose"))
        return right and same and self.closed(why.key.removeprefix("closed."), facts)

    def closed(self, clause: str, facts: Facts) -> bool:
        """Whether that clause closes the hex, for what it names: a torpedo also where it runs through next."""
        cell, whose = facts["hex"], facts["whose"]
        through = [torpedo for torpedo in self.sea["torpedoes"] if torpedo["id"] == whose and clause == "108.2.1"]
        return (cell, clause, whose) in self.closures or cell in op.running({"torpedoes": through})

    def legs(self, children: Any) -> list[str]:
        """One sentence for each hex she enters, in order, and each as it is said to be."""
        wrong, place = [], self.start
        if len(children) != len(self.path):
            wrong.append(f"{len(children)} sentences for {len(self.path)} hexes")
        for child, leg, intended in zip(children, self.path, self.intended, strict=False):
            facts = {str(fact.name): _plain(fact.value) for fact in child.facts}
            key = facts["board"].partition(".")[2]
            self.said[facts["board"]] += 1
            straight = leg[1] == place[1]
            on_ring = self.decision.circle and op.far(leg[0], self.target) == self.decision.circle.radius
            so = {
                "through": straight, "on_course": straight, "vector": straight, "inward": not straight,
                "onto_vector": not straight, "along_circle": on_ring, "to_station": self.marker is None,
                "past_station": straight and self.marker is None and len(self.path) == self.ship["speed"] - 2,
            }.get(key, True) and (leg == intended) == (key != "parallel")  # fmt: skip
            if facts["place"] != leg or not so or not op.is_way(place, [leg]):
                wrong.append(f"{facts['board']} {facts}")
            if [[hex_of(label) for label in mark.at] for mark in _marks(child.facts)] != [[leg[0]]]:
                wrong.append(f"{facts['board']} draws {_marks(child.facts)}")
            place = leg
        return wrong

    # What is drawn ------------------------------------------------------------------------------------------------

    def drawn(self, key: str, mark: Any, facts: Facts) -> bool:
        """Whether a mark on the board lies where what it stands for does."""
        cells = [hex_of(label) for label in mark.at]
        if mark.label in ("marker", "station"):
            bow, direction = self.marker["place"] if mark.label == "marker" else self.station
            return cells == [bow, op.stern((bow, direction))]
        if mark.label == "circle":
            ring = 6 * facts["ring"]
            return len(set(cells)) == len(cells) == ring and {op.far(c, self.target) for c in cells} == {facts["ring"]}
        if mark.label == "radial":  # from the target outward, at least as far as she is
            away = max(2, op.far(self.chose_at, self.target))
            return sorted(cells) == sorted(op.go(self.target, facts["direction"], n) for n in range(1, away + 1))
        if mark.label == "vector":  # as far as she sails she is on it, and it ends where she leaves it
            sailed = [place[0] for place in self.intended]
            begins = sailed.index(self.lane[0]) if self.lane[0] in sailed else len(sailed)
            along = sailed[begins : begins + len(self.lane)]
            return cells == self.lane and along == self.lane[: len(along)] and cells[-1] == facts["joins"]
        if mark.label == "path":
            return cells == [place[0] for place in self.intended]
        if mark.label == "zone":
            return set(cells) == set(op.ranks(self.marker))
        return cells == [self.target] if mark.label == "target" else cells == [facts["hex"]]

    # Weapons ------------------------------------------------------------------------------------------------------

    def attack(self, key: str, facts: Facts) -> bool:
        thrown = [tuple(charge.at) for charge in self.decision.action.charges]
        if key == "nothing":
            return not thrown and any(op.in_zone(place, self.target) for place in self.path)
        return facts == {"weapons": len(thrown), "hexes": len(set(thrown))}

    def weapons(self, children: Any) -> list[str]:
        wrong, rank = [], op.ranks(self.marker)
        marked = [cell for _, _, cell in self.sea["charges"]]
        thrown = [(str(charge.weapon), tuple(charge.at)) for charge in self.decision.action.charges]
        if len(children) != len(thrown):
            wrong.append(f"{len(children)} sentences for {len(thrown)} weapons")
        for child, (weapon, at) in zip(children, thrown, strict=False):
            facts = {str(fact.name): _plain(fact.value) for fact in child.facts}
            key = facts.pop("board")
            self.said[key] += 1
            there = at in op.reach(self.ship, self.path[facts["step"] - 1 : facts["step"]], weapon)
            right = (facts["weapon"], facts["hex"], facts["rank"]) == (weapon, at, rank[at])
            if not (there and right and (key == "weapon.again") == (at in marked)):
                wrong.append(f"{key} {facts}")
            if [[hex_of(label) for label in mark.at] for mark in _marks(child.facts)] != [[at]]:
                wrong.append(f"{key} draws {_marks(child.facts)}")
            marked.append(at)
        return wrong

    # What was rejected, and the sum ----------------------------------------------------------------------------------

    def rejected(self, option: Any) -> list[str]:
        key, facts = option.rejected.key, {name: _plain(value) for name, value in dict(option.rejected.facts).items()}
        self.said[key] += 1
        topic, _, rest = key.partition(".")
        if topic == "radial":
            away = _off_radial(self.target, int(str(option.action).split()[-1]), self.chose_at)
            so = away == facts["distance"] and (away > facts["least"]) == (rest == "further")
        elif topic == "vector":
            so = (facts["length"] > facts["least"]) == (rest == "longer")
        else:
            so = topic == "closed" and self.closed(rest, facts)
        return [] if so else [f"{key} {facts}"]

    def summary(self, key: str, facts: Facts) -> bool:
        thrown = [tuple(charge.at) for charge in self.decision.action.charges]
        kind = "ram" if self.ramming else "station" if self.marker is None else (
            "diameter" if self.marker["kind"] in ("surfaced", "inverted") else "radial")  # fmt: skip
        counts = facts["hexes"], facts["weapons"], facts["covered"]
        return counts == (len(self.path), len(thrown), len(set(thrown))) and (
            key == f"summary.{kind}" + ("_attack" if thrown else "") and _plain(facts["target"]) == self.target
        )


def _marks(facts: Any) -> list[Any]:
    """All marks that a sentence puts on the board."""
    return [mark for fact in facts for mark in fact.marks]


def _plain(value: Any) -> Any:
    """A hex or a place in the referee's words."""
    return _place(value) if isinstance(value, Place) else tuple(value) if isinstance(value, Hex) else value


def _off_radial(target: Any, direction: int, cell: Any) -> int:
    """How many hexes lie between a hex and a radial."""
    return min(op.far(cell, op.go(target, direction, n)) for n in range(1, op.far(cell, target) + 2))
