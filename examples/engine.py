"""A whole engine in twenty lines: it plays its lowest card, and takes the row that is listed first.

nimmt arena six --bots greedy:3,cmd:"python examples/engine.py" --deals 100
"""

import json
import sys


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        say(type="ready", protocol=1, name="Lowly")
    elif told["type"] == "decide":
        say(type="act", action=told["legal"][0])
    elif told["type"] == "quit":
        break
