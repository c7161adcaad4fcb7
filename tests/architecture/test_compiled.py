"""Compiled functions are handed what belongs together as one thing, not as a long list of arguments."""

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src"
COMPILED = {"jit", "part", "hot"}
MOST = 8


def compiled(source: str) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and COMPILED.intersection(map(ast.unparse, node.decorator_list)):
            yield node


def arguments(function: ast.FunctionDef) -> int:
    return len(function.args.posonlyargs) + len(function.args.args) + len(function.args.kwonlyargs)


def test_compiled_functions_take_few_arguments() -> None:
    counted = {
        f"{path.relative_to(SRC)}: {function.name}": arguments(function)
        for path in SRC.rglob("*.py")
        for function in compiled(path.read_text("utf-8"))
    }
    assert len(counted) > 100
    assert {name: count for name, count in counted.items() if count > MOST} == {}


def test_long_lists_are_noticed() -> None:
    (function,) = compiled("@jit\ndef place(a, b, /, c, *, d): ...\ndef plain(): ...")
    assert arguments(function) == 4
