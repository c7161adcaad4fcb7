"""The examples of docs/fast.md run."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fast.md"


def test_the_examples_run() -> None:
    found: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        exec(code, found)  # noqa: S102
    assert found["result"].points.shape == (10_000, 5)
    assert found["twist"].wins[:, 0].mean() > 0.25
    assert found["team"].rival is not None
    assert found["points"].shape == (500, 10, 4)
    assert found["best"] in found["actions"]
