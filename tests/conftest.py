"""What every test shares: properties without a clock, so that a busy machine fails none."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("table", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("table")
