"""What all environments share: they can be played after `reset`, until they are closed."""

from __future__ import annotations

from nimmt.fast.arguments import NotPossible


class Lifetime:
    _is_reset = False
    _is_closed = False

    def close(self) -> None:
        """Nothing can be played here any more."""
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise NotPossible("closed", "The environment is closed.")

    def _check_reset(self) -> None:
        if self._is_reset and not self._is_closed:
            return
        self._check_open()
        raise NotPossible("not_reset", "Call reset() first.")
