"""Home Assistant's device discovery as its documentation has it: what must and may stand where.

home-assistant.io/integrations/mqtt, "Device discovery messages", and the pages of the platforms
sensor, event, button and notify. Keys that none of these pages names are refused here.
"""

from __future__ import annotations

import re
from typing import Any

SHARED = {"availability_topic", "payload_available", "payload_not_available", "availability",
          "availability_mode", "availability_template", "command_topic", "state_topic", "qos",
          "encoding"}  # fmt: skip
DEVICE = {"identifiers", "connections", "name", "manufacturer", "model", "model_id", "hw_version",
          "sw_version", "serial_number", "suggested_area", "via_device",
          "configuration_url"}  # fmt: skip
ORIGIN = {"name", "sw_version", "support_url"}
ENTITY = {"platform", "unique_id", "name", "icon", "entity_category", "enabled_by_default",
          "entity_picture", "default_entity_id", "json_attributes_topic",
          "json_attributes_template"} | SHARED  # fmt: skip
PLATFORMS: dict[str, tuple[set[str], set[str]]] = {  # what each requires, what it may have
    "sensor": ({"state_topic"}, {"value_template", "device_class", "state_class", "expire_after",
                                 "force_update", "unit_of_measurement", "options",
                                 "suggested_display_precision",
                                 "last_reset_value_template"}),
    "event": ({"state_topic", "event_types"}, {"device_class", "value_template"}),
    "button": ({"command_topic"}, {"payload_press", "command_template", "device_class", "retain"}),
    "notify": ({"command_topic"}, {"command_template", "retain"}),
}  # fmt: skip
TOPIC = re.compile(r"[^/]+/device/(?:[a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config")


def check(topic: str, message: Any) -> None:
    """Raises AssertionError over a message that Home Assistant would not take."""
    assert TOPIC.fullmatch(topic), topic
    assert set(message) <= SHARED | {"device", "origin", "components"}, set(message)
    device, origin, components = message["device"], message["origin"], message["components"]
    assert set(device) <= DEVICE
    assert device.get("identifiers") or device.get("connections")
    assert set(origin) <= ORIGIN
    assert isinstance(origin["name"], str)
    assert components
    seen = set()
    for key, one in components.items():
        must, may = PLATFORMS[one["platform"]]
        if set(one) == {"platform"}:
            continue  # taken away
        assert set(one) <= ENTITY | must | may, (key, set(one))
        assert must <= set(one) | (set(message) & SHARED), (key, must)
        assert one["unique_id"] not in seen, "an entity of a device needs an id of its own"
        seen.add(one["unique_id"])
        for name, value in one.items():
            if name.endswith("_topic"):
                assert value, name
                assert not re.search(r"[#+\0]", value), value
            if name.endswith("_template"):
                assert value.count("{{") == value.count("}}") == 1, value
        if one["platform"] == "event":
            assert one["event_types"]


def entities(message: Any) -> dict[str, str]:
    """What stands in Home Assistant after this message: id and name."""
    return {key: one["name"] for key, one in message["components"].items() if len(one) > 1}
