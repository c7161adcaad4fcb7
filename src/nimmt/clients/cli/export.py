"""Turn records of matches into tables: decisions, deals and results, for spreadsheets, statistics and learning.

Every step of every record is checked on the way. A folder stands for all records in it.
"""

from __future__ import annotations

import argparse
import csv
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from nimmt.clients.cli.common import SUCCESS, CommandError, clean, print_json, progress_bar, read_bytes, title
from nimmt.clients.cli.flags import Parser, add_json_argument
from nimmt.library.tables import TABLES, Row, as_text, lines, rows
from nimmt.match.record import RecordError, read_record

EXAMPLES = """\
examples:
  nimmt export records/ --to csv
  nimmt export records/ --to parquet --out tables --only decisions --views
  nimmt simulate six --bots expert --matches 50 --out records && nimmt export records --anonymous
"""
FORMATS = ("csv", "jsonl", "parquet")
BATCH = 20_000
"""So many lines are written at a time."""
PARQUET_HELP = "Parquet needs pyarrow: pip install 'nimmt[parquet]'. csv and jsonl need nothing."


def configure(parser: Parser) -> None:
    parser.add_argument("files", nargs="+", metavar="RECORD", help="a record, a folder of records, or -")
    parser.add_argument("--to", choices=FORMATS, default="csv", help="the format of the tables (default: csv)")
    parser.add_argument("--out", default="tables", metavar="DIR", help="where they are written (default: tables)")
    parser.add_argument("--only", choices=tuple(TABLES), action="append", help="only this table; may be repeated")
    parser.add_argument("--views", action="store_true", help="add all that the seat could know to each decision")
    parser.add_argument("--anonymous", action="store_true", help="leave out the names of players")
    parser.add_argument("--force", action="store_true", help="overwrite existing tables")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    files, names = [file for name in args.files for file in _expanded(name)], args.only or list(TABLES)
    if not files:
        raise CommandError("There is no record to export.", code="unreadable")
    counts = dict.fromkeys(names, 0)
    with (
        Writers(Path(args.out), args.to, names, force=args.force) as writers,
        progress_bar("records", len(files)) as advance,
    ):
        for file in files:
            try:
                for table, row in rows(read_record(read_bytes(file)), anonymous=args.anonymous, views=args.views):
                    if table in counts:
                        writers.put(table, row)
                        counts[table] += 1
            except RecordError as error:
                sentence = f"{title(file)} is refused at {error.place}: {error.reason.removesuffix('.')}."
                raise CommandError(sentence, code="invalid_record") from None
            advance()
    if args.json:
        print_json({"out": args.out, "format": args.to, "records": len(files), "rows": counts})
    else:
        for name in names:
            noun = "line" if counts[name] == 1 else "lines"
            print(f"{clean(str(Path(args.out) / name))}.{args.to}: {counts[name]:,} {noun}")
    return SUCCESS


def _expanded(name: str) -> Iterator[str]:
    path = Path(name)
    if name != "-" and path.is_dir():
        yield from sorted(str(file) for file in path.glob("*.json"))
    else:
        yield name


# -- writing ----------------------------------------------------------------------------------------------------


class Writers:
    """A file for each table. They get their names when all is written: an export that fails leaves nothing behind."""

    def __init__(self, folder: Path, form: str, names: list[str], *, force: bool) -> None:
        kinds: dict[str, type[Writer]] = {"csv": CsvWriter, "jsonl": LinesWriter, "parquet": ParquetWriter}
        self._targets = {name: folder / f"{name}.{form}" for name in names}
        for target in self._targets.values():
            if target.exists() and not force:
                raise CommandError(f"{clean(str(target))} already exists; --force overwrites it.", code="exists")
        if form == "parquet":
            _pyarrow()  # says what is missing before any file is there
        folder.mkdir(parents=True, exist_ok=True)
        self._writers = {name: kinds[form](self._draft(name), name) for name in names}

    def _draft(self, name: str) -> Path:
        target = self._targets[name]
        return target.with_name(f".{target.name}.new")

    def put(self, table: str, row: Row) -> None:
        self._writers[table].put(row)

    def __enter__(self) -> Writers:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        for name, writer in self._writers.items():
            writer.close()
            if error is None:
                self._draft(name).replace(self._targets[name])
            else:
                self._draft(name).unlink(missing_ok=True)


class Writer(ABC):
    """One table."""

    @abstractmethod
    def __init__(self, path: Path, table: str) -> None: ...

    @abstractmethod
    def put(self, row: Row) -> None: ...

    @abstractmethod
    def close(self) -> None: ...


class TextWriter(Writer):
    def __init__(self, path: Path, table: str) -> None:
        self.table, self._file = table, open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115
        self.begin(self._file)

    def begin(self, file: TextIO) -> None:
        """What stands above the lines."""

    def close(self) -> None:
        self._file.close()


class CsvWriter(TextWriter):
    """Missing values are empty, truth is `true` or `false`."""

    def begin(self, file: TextIO) -> None:
        self._csv = csv.writer(file, lineterminator="\n")
        self._csv.writerow([column.name for column in TABLES[self.table]])

    def put(self, row: Row) -> None:
        (line,) = lines([row], self.table)
        self._csv.writerow(map(as_text, line))


class LinesWriter(TextWriter):
    """A JSON object a line."""

    def put(self, row: Row) -> None:
        names, (line,) = [column.name for column in TABLES[self.table]], lines([row], self.table)
        self._file.write(json.dumps(dict(zip(names, line, strict=True)), ensure_ascii=False) + "\n")


class ParquetWriter(Writer):
    def __init__(self, path: Path, table: str) -> None:
        arrow, parquet = _pyarrow()
        kinds = {"int": arrow.int64(), "bool": arrow.bool_(), "text": arrow.string()}
        self._schema = arrow.schema([(column.name, kinds[column.type]) for column in TABLES[table]])
        self._arrow, self._rows = arrow, list[Row]()
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def put(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        self._file.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._file.close()


# -- reading ----------------------------------------------------------------------------------------------------


def read_table(path: Path) -> Iterator[Row]:
    """The lines of a table that was written here. From CSV all values come as text."""
    if path.suffix == ".parquet":
        _, parquet = _pyarrow()
        with parquet.ParquetFile(path) as file:
            for part in file.iter_batches(BATCH):
                yield from part.to_pylist()
        return
    with open(path, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file) if path.suffix == ".csv" else map(json.loads, file)


def _pyarrow() -> tuple[Any, Any]:
    from importlib import import_module

    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise CommandError(PARQUET_HELP, code="not_installed") from None
