"""The example that learns does learn, and what it has learnt plays in the arena as an engine."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ppo.py"


def load():
    spec = importlib.util.spec_from_file_location("ppo_example", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_gradients_are_right():
    """By small changes of the weights."""
    ppo, rng = load(), np.random.default_rng(1)
    network = ppo.Network(width=5, inputs=3)
    network.weights = {name: array.astype(float) for name, array in network.weights.items()}
    x, is_card = rng.standard_normal((4, 10, 3)), rng.random((4, 10)) < 0.7
    pull, push = rng.standard_normal((4, 10)) * is_card, rng.standard_normal(4)

    def loss():
        logs, value, _ = network.forward(x, is_card)
        return (np.where(is_card, logs, 0) * pull).sum() + (value * push).sum()

    logs, _, kept = network.forward(x, is_card)
    d_scores = pull - np.exp(logs) * pull.sum(-1, keepdims=True)
    gradients = network.backward(kept, d_scores, push)
    for name, gradient in gradients.items():
        weights, place = network.weights[name], tuple(rng.integers(0, gradient.shape))
        before = loss()
        weights[place] += 1e-6
        assert np.isclose((loss() - before) / 1e-6, gradient[place], rtol=1e-3, atol=1e-4)
        weights[place] -= 1e-6


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads cannot be counted here")
def test_it_takes_one_core():
    """On a busy machine, threads that multiply small matrices wait for each other far longer than they work."""
    program = "import os, ppo; a = ppo.np.ones((500, 500)); a @ a; print(len(os.listdir('/proc/self/task')))"
    settings = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    words = [sys.executable, "-c", program]
    told = subprocess.run(words, capture_output=True, text=True, check=True, cwd=EXAMPLE.parent, env=settings)
    assert told.stdout.strip() == "1"


def test_it_learns_in_seconds(tmp_path, capsys):
    """A few updates are enough to be clearly better than at the beginning."""
    ppo, rng = load(), np.random.default_rng(1)
    from nimmt.envs import batch

    env, network = batch("six", 128, 4, seed=1, cards_only=True), ppo.Network()
    _, bulls, _ = ppo.measure(network, 512)
    for _ in range(25):
        ppo.learn(network, ppo.play_deal(env, network, rng), rng, rate=0.003)
    _, fewer, _ = ppo.measure(network, 512)
    assert fewer < bulls - 0.5
    policy = tmp_path / "policy"
    ppo.train(policy, minutes=0.001, tables=8, seed=1, deals=64)
    told = capsys.readouterr().out
    assert "100%" in told, "what was learnt last is measured too"
    assert "against three greedy players" in told
    assert_it_plays(policy)
    assert_it_plays(policy, "--variant", "draft")


def assert_it_plays(policy, *options):
    """In the arena, as an engine that never fails."""
    words = [sys.executable, str(EXAMPLE), "engine", str(policy)]
    arena = [sys.executable, "-m", "nimmt", "arena", "six", "--players", "2", "--bots", f"greedy,cmd:{' '.join(words)}"]
    arena += ["--deals", "2", "--jobs", "1", "--time", "60", "--seed", "1", "--json", *options]
    told = subprocess.run(arena, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    report = json.loads(told.stdout)
    assert [bot["seats"] for bot in report["deals"]["bots"]] == [2, 2]
    assert [bot["forfeits"] for bot in report["deals"]["bots"]] == [0, 0]
