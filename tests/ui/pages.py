"""A page without a browser: what stands in for the browser, and how tests find their way in its widgets."""

from __future__ import annotations
import re

from ipywidgets import Button

PAGE = {
    "event": "hello",
    "query": "",
    "stored": {},
    "tab": False,
    "theme": "light",
    "width": 1280,
    "header": True,
    "calm": True,
}


class Browser:
    """Stands in for the browser: says hello and hears what the page sends it."""

    def __init__(self, app):
        self.app, self.sent = app, []
        app.bridge.send = lambda content, buffers=None: self.sent.append((content, buffers))

    def says(self, event, buffers=(), **message):
        self.app.bridge._handle_custom_msg({"event": event} | message, list(buffers))

    def hello(self, **message):
        self.says(**(PAGE | message))

    def got(self, what):
        return [(content, buffers) for content, buffers in self.sent if content["do"] == what]

    def heard(self, what):
        return [content for content, _ in self.got(what)]

    def kept(self):
        """What is in the browser's storage, by the key the page asks for."""
        query = self.app.bridge.query
        return {c["key"].removesuffix(query) + ("?" if c["tab"] else ""): c["value"] for c in self.heard("store")}


JOURNAL = "0123456789abcdef"


def order(app, at="", n=0, journal=JOURNAL, after=0, **do):
    """An order of the browser's journal: the next one, for the present position, unless it says otherwise."""
    number = n or app.control.handled.get(journal, 0) + 1
    sent = {"journal": journal, "n": number, "at": at or app.control.position, "do": do, "after": after}
    app.bridge._handle_custom_msg({"event": "order", "order": sent}, [])


def all_of(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from all_of(child)


def named(app, css):
    return next(w for w in all_of(app.widget) if isinstance(w, Button) and css in w._dom_classes)


def words(html):
    """The text of a page's part, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()
