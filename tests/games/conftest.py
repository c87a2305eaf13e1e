"""bqplot warns about its own traits when it is first imported; the suite takes a warning for an error."""

from __future__ import annotations
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import bqplot  # noqa: F401
