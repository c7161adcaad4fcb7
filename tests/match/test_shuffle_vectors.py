"""The vectors of docs/shuffle.md hold for the code, and for a second implementation made from that page alone."""

import hashlib
import itertools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nimmt.match import shuffle as code

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "shuffle.md").read_text("utf-8")
VECTORS = tomllib.loads("\n".join(re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)))
MATCH = VECTORS["match"]
SEED = bytes.fromhex(MATCH["server_seed"])


class ByThePage:
    """The pseudo code of the page, word for word; it shares nothing with the project's own code."""

    @staticmethod
    def commitment(server_seed: bytes) -> str:
        return hashlib.new("sha256", server_seed).hexdigest()

    @staticmethod
    def root(server_seed: bytes, contributions: list[str]) -> bytes:
        message = hashlib.new("sha256", b"nimmt-shuffle-1").digest() + server_seed
        for contribution in contributions:
            message = message + hashlib.new("sha256", contribution.encode("utf-8")).digest()
        return hashlib.new("sha256", message).digest()

    @staticmethod
    def numbers(root: bytes, deal: int, deck: str) -> Iterator[int]:
        for block in itertools.count():
            name = "/" + str(deal) + "/" + deck + "/" + str(block)
            data = hashlib.new("sha256", root + name.encode("utf-8")).digest()
            for i in range(0, 32, 4):
                yield ((data[i] * 256 + data[i + 1]) * 256 + data[i + 2]) * 256 + data[i + 3]

    @staticmethod
    def shuffle(cards: tuple[int, ...], stream: Iterator[int]) -> tuple[int, ...]:
        order, last = list(cards), len(cards) - 1
        while last >= 1:
            places = last + 1
            fair = 2**32 - (2**32 % places)
            number = next(stream)
            while number >= fair:
                number = next(stream)
            other = number % places
            saved = order[last]
            order[last] = order[other]
            order[other] = saved
            last -= 1
        return tuple(order)


@pytest.fixture(params=[code, ByThePage], ids=["the code", "the page"])
def way(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_the_name_on_the_page_is_that_of_the_code() -> None:
    assert f"`{code.ALGORITHM}`" in PAGE
    assert f"at most {code.MAX_CONTRIBUTION_LENGTH} characters" in PAGE


def test_commitment_and_root(way: Any) -> None:
    assert way.commitment(SEED) == MATCH["commitment"]
    assert way.root(SEED, MATCH["contributions"]).hex() == MATCH["root"]
    assert way.root(SEED, VECTORS["another_root"]["contributions"]).hex() == VECTORS["another_root"]["root"]


@pytest.mark.parametrize("vector", VECTORS["stream"])
def test_streams(way: Any, vector: dict[str, Any]) -> None:
    stream = way.numbers(bytes.fromhex(MATCH["root"]), vector["deal"], vector["deck"])
    assert [next(stream) for _ in vector["numbers"]] == vector["numbers"]


@pytest.mark.parametrize("vector", VECTORS["shuffle"])
def test_shuffles(way: Any, vector: dict[str, Any]) -> None:
    stream = way.numbers(bytes.fromhex(MATCH["root"]), vector["deal"], vector["deck"])
    cards = tuple(range(1, vector["highest"] + 1))
    order = way.shuffle(cards, stream)
    assert list(order[: len(vector["first"])]) == vector["first"]
    assert sorted(order) == list(cards)


def test_a_number_that_is_not_fair_is_passed_over(way: Any) -> None:
    vector = VECTORS["rejection"]
    stream = iter(vector["numbers"])
    assert list(way.shuffle(tuple(vector["cards"]), stream)) == vector["result"]
    assert list(stream) == []


@pytest.mark.parametrize("seed", range(20))
def test_both_implementations_agree(seed: int) -> None:
    server_seed = hashlib.sha256(str(seed).encode()).digest()
    contributions = [f"contribution {seed} of {seat} ✓" for seat in range(seed % 11)]
    root = code.root(server_seed, contributions)
    assert ByThePage.root(server_seed, contributions) == root
    cards = tuple(range(1, 3 + 7 * seed))
    order = code.shuffle(cards, code.numbers(root, seed, "numbers"))
    assert ByThePage.shuffle(cards, ByThePage.numbers(root, seed, "numbers")) == order
