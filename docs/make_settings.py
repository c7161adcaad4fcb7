"""The table of settings in `docs/settings.md`, from the code: a part of `python3 dev.py generate`."""

from __future__ import annotations

from pathlib import Path

from nimmt.server.settings import PREFIX, descriptions

PAGE = Path(__file__).with_name("settings.md")
START, END = "<!-- settings -->", "<!-- end of settings -->"


def table() -> str:
    lines = ["| flag | environment | default | what it does |", "|---|---|---|---|"]
    for name, (text, default) in descriptions().items():
        shown = (
            f"`{str(default).lower() if isinstance(default, bool) else default}`" if default not in ("", ()) else "–"
        )
        lines.append(f"| `--{name.replace('_', '-')}` | `{PREFIX}{name.upper()}` | {shown} | {text} |")
    return "\n".join(lines)


def page() -> str:
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    return f"{before}{START}\n\n{table()}\n\n{END}{rest.partition(END)[2]}"
