"""The games, one folder each. A file's name tells its level: see docs/architecture.md.

Games of your own live outside: the environment variable `NIMMT_GAMES` names the folders in which they lie, and they
are found here as if they were ours, in every process that inherits it.
"""

from __future__ import annotations

import os

VARIABLE = "NIMMT_GAMES"

FOLDERS = tuple(os.path.abspath(folder) for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder)
__path__ = [*__path__, *FOLDERS]  # what is pickled finds its module again in another process


def ids_in(folder: str) -> list[str]:
    """The packages in a folder, by name; raises `OSError` if it cannot be read."""
    return sorted(name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name, "__init__.py")))
