"""Servers on one database and the people who come to them; refusals and goodbyes that a test expects."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from nimmt.server.sockets import REFUSED
from nimmt.store.choice import make_store
from nimmt.testing.servers import LiveServer, Person, ServerRefused, TableSocket


class House:
    """One server, or two on the same database; people who come are at the first, `elsewhere` is the other."""

    def __init__(self, database: str, servers: list[LiveServer]) -> None:
        self.database, self.servers = database, servers
        self._people: list[Person] = []

    async def come(self, *names: str) -> list[Person]:
        people = [Person(self.servers[0].url) for _ in names]
        self._people += people
        return [await person.come_in(name) if name else person for person, name in zip(people, names, strict=True)]

    def elsewhere(self, person: Person) -> Person:
        other = person.at(self.servers[-1].url)
        other.http.cookies = dict(person.http.cookies)
        self._people.append(other)
        return other

    def program(self, token: str) -> Person:
        """At the other server."""
        program = Person(self.servers[-1].url, token)
        self._people.append(program)
        return program

    def restart(self) -> None:
        if self.database != "memory":
            for server in self.servers:
                server.restart()

    async def everything(self) -> str:
        """All that the database holds, as text; nothing that must not be in it may be found here."""
        store = make_store(self.database)
        await store.open()
        try:
            return "\n".join([repr(row) async for row in store.export()])
        finally:
            await store.close()

    async def close(self) -> None:
        for person in self._people:
            await person.close()


async def refused(code: str, asking: Any) -> None:
    """What is asked for must be refused with this code."""
    try:
        await asking
    except ServerRefused as error:
        found = error.code
    else:
        found = "done"
    assert found == code


async def goodbye(socket: TableSocket) -> str:
    """The code with which a socket ends; whatever else comes before."""
    message = await socket.next()
    while message["type"] != "Refused":
        message = await socket.next()
    with suppress(ConnectionClosed):
        while await socket.hear() is None:
            pass
    assert socket.socket.close_code == REFUSED
    code: str = message["error"]["code"]
    return code
