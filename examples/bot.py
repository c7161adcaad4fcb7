"""A whole bot in twenty lines: opens a table of 6 nimmt! with two server bots and plays its lowest card each time.

python examples/bot.py http://localhost:8666
"""

import sys

from nimmt.clients.remote import Client


def choose(situation: dict) -> dict:
    """The first legal action: hands are sorted, so this is the lowest card, or the first row."""
    return situation["legal"][0]


with Client(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8666") as person:
    person.come_in("Lowly")
    client = Client(person.url, person.make_token("lowly"))
    table = client.open_table("six", seats=3, bots=["greedy", "random"], options={"rounds": 2}, start=True)
    client.play(choose, matches=1)
    print(client.look(table)["situation"]["outcome"])
