"""The games, one folder each. A file's name tells its level: see docs/architecture.md."""

from __future__ import annotations
