"""The results, by deal. A deal counts once, however often it was played, and every result is on the disk at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

import msgspec

from nimmt.arena.errors import ArenaError
from nimmt.arena.plan import Kind, Plan
from nimmt.arena.players import DealResult

PLAN_FILE = "plan.json"
RESULTS_FILE = "results.jsonl"

_DECODER = msgspec.json.Decoder(DealResult)


class Ledger:
    """Results in memory and, with a folder, in `results.jsonl` there: one line a deal, in the order they came in."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._file: IO[bytes] | None = None
        self._results: dict[tuple[Kind, int], DealResult] = {}

    @classmethod
    def open(cls, folder: Path, plan: Plan, *, resume: bool = False, force: bool = False) -> Ledger:
        """A folder's results. What is there already is gone on with, overwritten or left alone, as asked."""
        folder.mkdir(parents=True, exist_ok=True)
        ledger = cls()
        ledger.folder = folder
        plan_file, results = folder / PLAN_FILE, folder / RESULTS_FILE
        if plan_file.exists() and resume:
            _check_same(plan_file, plan)
            ledger._read(results)
        elif plan_file.exists() and not force:
            raise ArenaError(f"{folder} holds results already: --resume goes on with them, --force overwrites.")
        else:
            results.unlink(missing_ok=True)
            draft = plan_file.with_suffix(".part")
            draft.write_bytes(msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
            draft.replace(plan_file)
        ledger._file = results.open("ab")
        return ledger

    def add(self, result: DealResult) -> bool:
        """Whether it is new; a deal that is known already changes nothing."""
        key = result.kind, result.deal
        if key in self._results:
            return False
        self._results[key] = result
        if self._file is not None:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()
        return True

    def get(self, kind: Kind, deal: int) -> DealResult | None:
        return self._results.get((kind, deal))

    def missing(self, kind: Kind, deals: int) -> list[int]:
        return [deal for deal in range(deals) if (kind, deal) not in self._results]

    def first(self, kind: Kind, deals: int) -> list[DealResult]:
        """The results of deals 0, 1, 2 … without a gap, at most so many."""
        found = []
        for deal in range(deals):
            result = self.get(kind, deal)
            if result is None:
                break
            found.append(result)
        return found

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        good = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    result = _DECODER.decode(line) if line.endswith(b"\n") else None
                except msgspec.MsgspecError as error:
                    raise ArenaError(f"{path}, line {number}: this is no result ({error}).") from None
                if result is None:
                    break  # the last line was being written when everything stopped
                self._results.setdefault((result.kind, result.deal), result)
                good += len(line)
        os.truncate(path, good)


def _check_same(path: Path, plan: Plan) -> None:
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Plan)
    except msgspec.MsgspecError as error:
        raise ArenaError(f"{path} is no plan of an arena ({error}).") from None
    different = [name for name in Plan.__struct_fields__ if getattr(known, name) != getattr(plan, name)]
    if different:
        raise ArenaError(f"{path.parent} holds results of another arena: {', '.join(different)} differ.")
