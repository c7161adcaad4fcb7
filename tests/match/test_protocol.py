"""The schemas and samples of views, actions and events fit each other, and what is really said fits them."""

import json
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry, Resource

from nimmt.match.protocol import PROTOCOL
from nimmt.rules import registry

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "protocol"
SCHEMAS = {path.name: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.schema.json")}
KNOWN = Registry().with_resources([(name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()])


def check(document, schema):
    jsonschema.Draft202012Validator(schema, registry=KNOWN).validate(document)


def samples(game):
    return json.loads((FOLDER / f"{game}.samples.json").read_text("utf-8"))


@pytest.mark.parametrize("game", registry.OURS)
def test_samples_fit_their_schema_and_leave_nothing_out(game):
    rules, found = registry.get(game), samples(game)
    check(found, SCHEMAS[f"{game}.schema.json"])
    assert set(found["views"]) == {*rules.decisions, "spectator"}
    assert {name.partition(".")[0] for name in found["actions"]} == {kind.__name__ for kind in rules.action_types}
    assert set(found["events"]) >= {kind.__name__ for kind in rules.event_types} - {"CowJumped", "StoodStill"}


@pytest.mark.parametrize("game", registry.OURS)
def test_a_schema_refuses_what_is_wrong(game):
    found = samples(game)
    next(iter(found["actions"].values()))["type"] = "Fly"
    with pytest.raises(jsonschema.ValidationError):
        check(found, SCHEMAS[f"{game}.schema.json"])


def test_the_messages_of_an_engine_fit_their_schema():
    """Those of the protocol as the program itself writes them."""
    import msgspec

    from nimmt.arena import engine

    assert engine.PROTOCOL == PROTOCOL
    found = samples("six")
    view, action, event = (next(iter(found[name].values())) for name in ("views", "actions", "events"))
    messages = [
        engine.Hello(game="six"),
        engine.New(game="six", options={}, seats=4, seat=0, time_ms=100),
        engine.Decide(decision=1, kind="card", view=view, legal=(action,), events=(event,), time_ms=100),
        engine.Over(outcome={"reason": "rounds", "winners": [0], "points": [1, 2]}, events=(event,)),
        engine.Quit(),
        engine.Ready(protocol=1, name="Lowly"),
        engine.Act(action=msgspec.Raw(json.dumps(action).encode())),
        engine.Info(text="thinking"),
    ]
    for message in messages:
        check(json.loads(msgspec.json.encode(message)), SCHEMAS["engine.schema.json"])
    with pytest.raises(jsonschema.ValidationError):
        check({"type": "act"}, SCHEMAS["engine.schema.json"])
