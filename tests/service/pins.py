"""Inside the machine: opens a pin as a panel does, and fails unless the library named came with it.

There is no pin here, so the panel is lost; its library must be there all the same.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from companion.errors import DeviceLost
from hardware.panel.buttons import held_down

with suppress(DeviceLost):
    held_down(17)
library = sys.modules[sys.argv[1]]
assert sys.argv[1] != "lgpio" or library._notify_thread.is_alive(), "nobody listens for edges"
