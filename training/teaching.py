"""Training of `nimmt.fast.net` networks in NumPy: forward and backward pass, Adam, checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.net import FIRST, SECOND, Shape, Weights

Reals = NDArray[np.float32]
Ints = NDArray[np.int64]


class Batch(NamedTuple):
    """A batch of decisions: the inputs, the number of legal actions, and a value (or target) for each of them."""

    scenes: Reals
    glances: Reals
    sizes: Ints
    values: Reals

    def pick(self, which: Ints | slice) -> Batch:
        """A subset of the batch."""
        return Batch(self.scenes[which], self.glances[which], self.sizes[which], self.values[which])


def new_batch(shape: Shape, number: int, most: int) -> Batch:
    """A batch of zeros with room for `number` decisions of up to `most` actions."""
    return Batch(
        np.zeros((number, shape.scene), np.float32),
        np.zeros((number, most, shape.glance), np.float32),
        np.zeros(number, np.int64),
        np.zeros((number, most), np.float32),
    )


def split(shape: Shape, weights: Weights) -> dict[str, Weights]:
    cuts = np.split(weights, list(shape.starts.values())[1:])
    return {name: cut.reshape(size) for (name, size), cut in zip(shape.parts.items(), cuts, strict=True)}


def begin(shape: Shape, rng: np.random.Generator) -> Weights:
    """A freshly initialized network."""
    parts = split(shape, np.zeros(shape.weights, np.float32))
    for name, inputs in (("scene", sum(shape)), ("glance", sum(shape)), ("between", FIRST)):
        parts[name][:] = rng.normal(0, np.sqrt(2 / inputs), parts[name].shape)
    parts["last"][:] = rng.normal(0, 0.1, SECOND)
    return np.concatenate([part.ravel() for part in parts.values()]).astype(np.float32)


class Forward(NamedTuple):
    """Activations of the hidden layers, and the policy: the probability of each action."""

    first: Reals
    second: Reals
    chances: Reals


def run(parts: dict[str, Weights], batch: Batch) -> Forward:
    first = batch.glances @ parts["glance"] + (batch.scenes @ parts["scene"] + parts["first"])[:, None]
    np.maximum(first, 0, out=first)
    second = np.maximum(first @ parts["between"] + parts["second"], 0)
    scores = np.where(np.arange(batch.glances.shape[1]) < batch.sizes[:, None], second @ parts["last"], -1e9)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    return Forward(first, second, chances / chances.sum(1, keepdims=True))


def back(parts: dict[str, Weights], batch: Batch, forward: Forward, better: Reals) -> Weights:
    """Backpropagate: the gradient of the weights from that of the scores, averaged over the batch."""
    push = (better / len(better)).astype(np.float32)[:, :, None]
    to_second = push * parts["last"] * (forward.second > 0)
    to_first = (to_second @ parts["between"].T) * (forward.first > 0)
    scene_back, flat_second = to_first.sum(1), to_second.reshape(-1, SECOND)
    up = {
        "scene": batch.scenes.T @ scene_back,
        "first": scene_back.sum(0),
        "glance": batch.glances.reshape(len(to_first) * to_first.shape[1], -1).T @ to_first.reshape(-1, FIRST),
        "second": flat_second.sum(0),
        "between": forward.first.reshape(-1, FIRST).T @ flat_second,
        "last": (forward.second * push).sum((0, 1)),
    }
    return np.concatenate([up[name].ravel() for name in parts])


def slope(shape: Shape, weights: Weights, batch: Batch, spread: float) -> tuple[Weights, float]:
    """The gradient of the expected value of the policy plus `spread` times its entropy; and that entropy."""
    parts = split(shape, weights)
    forward = run(parts, batch)
    chances, logs = forward.chances, np.log(forward.chances + 1e-9)
    brought = batch.values - spread * logs
    better = chances * (brought - (chances * brought).sum(1, keepdims=True))
    return back(parts, batch, forward, better), float(-(chances * logs).sum(1).mean())


def slope_to(shape: Shape, weights: Weights, batch: Batch) -> tuple[Weights, float]:
    """The gradient of the log likelihood of the target policy in `values`; and the mean log likelihood itself."""
    parts = split(shape, weights)
    forward = run(parts, batch)
    likely = float((batch.values * np.log(forward.chances + 1e-9)).sum(1).mean())
    return back(parts, batch, forward, batch.values - forward.chances), likely


def save_whole(place: Path, **arrays: Any) -> None:
    """Write arrays atomically: a killed process leaves the old file or the new one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(f"{place.name}.new")
    with beside.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    beside.replace(place)


def write_whole(place: Path, text: str) -> None:
    """Write a text atomically."""
    beside = place.with_name(f"{place.name}.new")
    beside.write_text(text, "utf-8")
    beside.replace(place)


class Learner:
    """Adam with a running average of the weights, and everything a checkpoint needs."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.average = weights, weights.astype(np.float64)
        self.mean, self.square, self.steps = np.zeros(len(weights)), np.zeros(len(weights)), 0
        self.old: dict[str, Weights] = {}
        """Snapshots of earlier weights, as opponents."""
        self.curve: list[str] = []
        """The log: a line of figures every so many steps."""

    def step(self, up: Weights, rate: float) -> None:
        self.steps += 1
        self.mean += 0.1 * (up - self.mean)
        self.square += 0.001 * (up**2 - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        self.weights = (self.weights + rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        self.average += 0.02 * (self.weights - self.average)

    @property
    def smooth(self) -> Weights:
        """The running average of the weights, without the noise of single steps."""
        return self.average.astype(np.float32)

    def keep(self, place: Path) -> None:
        """Write a checkpoint, atomically."""
        state: dict[str, Any] = {
            name: getattr(self, name) for name in ("weights", "average", "mean", "square", "steps")
        }
        save_whole(place, curve=np.array(self.curve), **state, **self.old)


def resume(place: Path, fresh: Weights) -> Learner:
    """Load the checkpoint if there is one, else start from `fresh`."""
    learner = Learner(fresh)
    if place.exists():
        with np.load(place) as file:
            for name in ("weights", "average", "mean", "square"):
                setattr(learner, name, file[name])
            learner.steps, learner.curve = int(file["steps"]), file["curve"].tolist()
            learner.old = {name: file[name] for name in file.files if name.startswith("old")}
    return learner
