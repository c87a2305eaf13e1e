"""What is left of a class: a page to print. Phones go by their generated names, and without any unless asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from .classroom import Asked
from .store import SAY, Seat

MOST_SLIPS = 3
"""Slips of a question on the board of progress."""
_STYLE = """
/* nk-report: what is left of a class. */
body{font:16px/1.45 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#14222c}
section{break-inside:avoid;border-top:1px solid #c2d7e3;padding:.5rem 0 1rem}h2{font-size:1.15rem;margin:.5rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}
td.nk-report-n{text-align:right}tr.nk-report-right{font-weight:600}.nk-report-bar{display:inline-block;height:.7rem;background:#0072b2}
"""


def page(title: str, asked: Sequence[Asked], seats: Sequence[Seat], *, named: bool = False) -> str:
    """The report as a page of HTML that needs nothing else. ``seats``: the phones there were. ``named``: whether it
    says who answered what."""
    head = SAY("report.title")
    sections = "".join(_section(number, each) for number, each in enumerate(asked, 1))
    intro = SAY("report.named" if named else "report.asked", rounds=len(asked), seats=len(seats))
    who = _who(asked, seats) if named else ""
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{escape(head)}</title><style>{_STYLE}</style>'
        f"<h1>{escape(head)}</h1><p>{escape(title)}</p><p>{escape(intro)}</p>{sections}{who}</html>"
    )


def progress(asked: Sequence[Asked]) -> str:
    """How the class is doing, for all to see: of each question that was told, how many were right, and the commonest
    slips. No phone is named, and a question that is still open is left out."""
    told = [each for each in asked if each.right and each.answers]
    if not told:
        return f"<p>{escape(SAY('progress.none'))}</p>"
    rows = []
    for each in told:
        wrong = [choice for choice in each.answers.values() if choice not in each.right]
        slips = Counter(
            each.slips.get(choice) or each.notes.get(choice) or each.labels.get(choice, choice) for choice in wrong
        )
        lines = "<br>".join(escape(SAY("progress.slip", n=n, slip=slip)) for slip, n in slips.most_common(MOST_SLIPS))
        good, of = len(each.answers) - len(wrong), len(each.answers)
        rows.append(
            f"<tr><td>{escape(each.text)}</td><td class=nk-room-share style=--share:{100 * good / of:.0f}%>"
            f"{escape(SAY('progress.right', right=good, of=of))}</td><td>{lines}</td></tr>"
        )
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in SAY("progress.head").split("|"))
    return f"<table class=nk-room-progress><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _section(number: int, each: Asked) -> str:
    votes = Counter(each.answers.values())
    most = max(votes.values(), default=1)
    rows = "".join(
        f"<tr{' class=nk-report-right' if id in each.right else ''}><td>{escape(each.labels.get(id, id))}</td>"
        f"<td class=nk-report-n>{n}</td><td><span class=nk-report-bar style=width:{10 * n / most:.1f}rem></span> "
        f"{escape(SAY('report.right') if id in each.right else each.slips.get(id) or each.notes.get(id, ''))}</td></tr>"
        for id, n in votes.most_common()
    )
    good = sum(votes[id] for id in each.right)
    said = SAY("report.count", right=good, answers=votes.total()) if each.right else SAY("report.open")
    told = f"<p>{escape(each.told)}</p>" if each.told else ""
    names = "".join(f"<th scope=col>{escape(name)}</th>" for name in SAY("report.head").split("|"))
    return (
        f"<section><h2>{escape(SAY('report.question', number=number, text=each.text))}</h2>{told}"
        f"<p>{escape(said)}</p><table><tr>{names}</tr>{rows}</table></section>"
    )


def _who(asked: Sequence[Asked], seats: Sequence[Seat]) -> str:
    rows = []
    for seat in seats:
        own = [each for each in asked if seat.number in each.answers]
        right = sum(each.answers[seat.number] in each.right for each in own)
        name = f"{seat.own} ({seat.name})" if seat.own else seat.name
        counts = "".join(f"<td class=nk-report-n>{n}</td>" for n in (right, len(own)))
        rows.append(f"<tr><td>{escape(name)}</td>{counts}</tr>")
    names = "".join(f"<th scope=col>{escape(name)}</th>" for name in SAY("report.who.head").split("|"))
    return f"<section><h2>{escape(SAY('report.who'))}</h2><table><tr>{names}</tr>{''.join(rows)}</table></section>"
