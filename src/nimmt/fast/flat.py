"""Numbers that mean the same in the flat states of several games."""

from __future__ import annotations

import numpy as np

from nimmt.rules.kit.cards import BULLS as _BULLS

CHOOSE, PLACE, ROW, OVER = range(4)
"""Phases of a game with rows; a game that has more of them numbers them from 4. PLACE waits for nobody: cards are on
their way to the rows."""

PHASES = {"choose": CHOOSE, "row": ROW, "deal": OVER, "over": OVER}
"""By the names that the rules have for them. There, the next deal may be due as soon as a round is over."""

NOWHERE = -1

BULLS = np.array(_BULLS, dtype=np.int8)
"""By card."""
