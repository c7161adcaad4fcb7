"""Clients that mean no good, for `bench_server.py --hostile`: they ask for as much as they can, from a few addresses.

Usage: hostile_clients.py PORT CLIENTS ADDRESSES TABLE. When it is told to stop it prints what became of what they did.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable

import websockets

IDLE_AT_ONCE = 20


class Hostile:
    def __init__(self, port: int, number: int, addresses: int, table: str, seen: Counter[str]) -> None:
        self.port, self.address, self.table, self.seen = port, f"127.66.0.{number % addresses + 1}", table, seen

    async def go_on(self, deed: Callable[[Hostile], Awaitable[None]]) -> None:
        while True:
            try:
                await deed(self)
            except (OSError, EOFError, TimeoutError, websockets.WebSocketException) as error:
                self.seen[f"{deed.__name__}: {type(error).__name__}"] += 1
                await asyncio.sleep(0.05)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    async def ask(self, line: str, body: object = None, cookie: str = "") -> tuple[int, bytes, bytes]:
        reader, writer = await self.connect()
        try:
            data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
            head = f"{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncookie: {cookie}\r\n"
            head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
            writer.write(head.encode() + data)
            answer = await reader.read()
        finally:
            writer.close()
        start, _, content = answer.partition(b"\r\n\r\n")
        if not start:
            raise EOFError
        return int(start.split()[1]), start, content

    # -- deeds ----------------------------------------------------------------------------------------------------

    async def far_behind(self) -> None:
        """Wants to be told the whole match again, live."""
        url = f"ws://127.0.0.1:{self.port}/api/tables/{self.table}/socket?after=0"
        how = {"compression": None, "ping_interval": None, "local_addr": (self.address, 0)}
        async with websockets.connect(url, **how) as following:
            for _ in range(5):
                first = json.loads(await following.recv())
                self.seen[f"far_behind: {first['type']}"] += 1

    async def ask_for_updates(self) -> None:
        status, _, _ = await self.ask(f"GET /api/tables/{self.table}/updates?after=0")
        self.seen[f"ask_for_updates: {status}"] += 1

    async def not_read(self) -> None:
        """Asks for much and takes in nothing."""
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            deaf.setblocking(False)
            deaf.bind((self.address, 0))
            loop = asyncio.get_running_loop()
            await loop.sock_connect(deaf, ("127.0.0.1", self.port))
            request = f"GET /api/tables/{self.table}/updates?after=0 HTTP/1.1\r\nhost: x\r\n\r\n"
            await loop.sock_sendall(deaf, request.encode() * 20)
            self.seen["not_read: sent"] += 1
            await asyncio.sleep(10)

    async def be_idle(self) -> None:
        """Only takes up room."""
        lines = [await self.connect() for _ in range(IDLE_AT_ONCE)]
        try:
            for reader, _ in lines:
                await reader.read()
                self.seen["be_idle: sent away"] += 1
        finally:
            for _, writer in lines:
                writer.close()

    async def open_bot_tables(self) -> None:
        status, start, _ = await self.ask("POST /api/guests", {"name": "Mallory"})
        cookie = start.partition(b"set-cookie: ")[2].partition(b";")[0].decode()
        bots = {"game": "six", "seats": 10, "bots": ["master"] * 10, "join": False, "start": True, "pace": "instant"}
        while status != 429:
            status, _, _ = await self.ask("POST /api/tables/", bots | {"options": {"rounds": 1000}}, cookie)
            self.seen[f"open_bot_tables: {status}"] += 1

    async def talk_nonsense(self) -> None:
        words = ["GET /nowhere", "POST /api/guests", "PUT /api/tables", f"GET /{random.randbytes(1000).hex()}"]
        status, _, _ = await self.ask(random.choice(words), random.choice([b"{", b"[" * 60_000, None]))
        self.seen[f"talk_nonsense: {status}"] += 1


DEEDS = [
    Hostile.far_behind,
    Hostile.ask_for_updates,
    Hostile.not_read,
    Hostile.be_idle,
    Hostile.open_bot_tables,
    Hostile.talk_nonsense,
]


async def main(port: int, clients: int, addresses: int, table: str) -> None:
    seen: Counter[str] = Counter()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    deeds = [
        asyncio.create_task(Hostile(port, number, addresses, table, seen).go_on(DEEDS[number % len(DEEDS)]))
        for number in range(clients)
    ]
    await stop.wait()
    for deed in deeds:
        deed.cancel()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(5):
            await asyncio.gather(*deeds, return_exceptions=True)
    print(json.dumps(dict(sorted(seen.items()))))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
