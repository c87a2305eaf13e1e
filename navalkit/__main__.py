"""``python -m navalkit``."""

from __future__ import annotations
import sys

from navalkit.cli import main

sys.exit(main())
