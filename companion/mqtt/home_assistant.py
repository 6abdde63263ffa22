"""Home Assistant's device discovery: one retained message that names every entity of the table.

The format is documented at home-assistant.io/integrations/mqtt ("Device discovery messages"): the
topic is `PREFIX/device/ID/config`; a component that says its platform alone is taken away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.mqtt.telling import Json
from companion.words import Translate

EVENTS = ("roll", "move", "ended")


def discovery(table: str, base: str, state: Json, translate: Translate, version: str) -> Json:
    """The device with all that it has now; counters are those of the game that runs."""
    named = {
        "game": (translate("Game"), {"value_template": "{{ value_json.game }}"}),
        "turn": (translate("Turn"), {"value_template": "{{ value_json.turn | join(', ') }}"}),
        "phase": (translate("Phase"), {"value_template": "{{ value_json.phase[:255] }}"}),
    }
    components = {
        key: _component(table, key, "sensor", name, state_topic=f"{base}/state", **more)
        for key, (name, more) in named.items()
    }
    for key, counter in state["counters"].items():
        found = f"value_json.counters.get('{key}', {{}})"
        components[f"counter_{key}"] = _component(
            table, f"counter_{key}", "sensor", counter["name"], state_topic=f"{base}/state",
            value_template=f"{{{{ {found}.get('value') }}}}", state_class="measurement",
            json_attributes_topic=f"{base}/state",
            json_attributes_template=f"{{{{ {found} | tojson }}}}",
        )  # fmt: skip
    components["event"] = _component(
        table, "event", "event", translate("What happened"),
        state_topic=f"{base}/event", event_types=list(EVENTS),
    )  # fmt: skip
    components["wake"] = _component(
        table, "wake", "button", translate("Wake the glass"), command_topic=f"{base}/wake"
    )
    components["notify"] = _component(
        table, "notify", "notify", translate("A line on the table"), command_topic=f"{base}/notify"
    )
    return {
        "device": {
            "identifiers": [f"table_companion_{table}"],
            "name": translate("Table {name}").format(name=table),
            "manufacturer": "Table companion",
            "sw_version": version,
        },
        "origin": {"name": "table-companion", "sw_version": version},
        "availability_topic": f"{base}/availability",
        "components": components,
        "qos": 1,
    }


def retiring(before: Iterable[tuple[str, str]], now: Json) -> Json | None:
    """The same message, taking away what was there before and is gone; None: nothing is gone.

    `before` is id and platform of each component.
    """
    gone = {key: {"platform": kind} for key, kind in before if key not in now["components"]}
    return {**now, "components": now["components"] | gone} if gone else None


def platforms(message: object) -> dict[str, str]:
    """Id and platform of every component that a retained message tells of, ours or damaged."""
    components = message.get("components") if isinstance(message, dict) else None
    found = components.items() if isinstance(components, dict) else ()
    return {
        str(key): str(one["platform"])
        for key, one in found
        if isinstance(one, dict) and "platform" in one
    }


def _component(table: str, key: str, platform: str, name: str, **more: Any) -> Json:
    return {
        "platform": platform,
        "unique_id": f"table_companion_{table}_{key}",
        "name": name,
    } | more
