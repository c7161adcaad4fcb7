"""Hypothesis tries the same examples every time, so that a test which passed here passes there.

`pytest --hypothesis-profile=long` searches for longer, and elsewhere each time; so does NIMMT_HYPOTHESIS=long.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("NIMMT_HYPOTHESIS", "ci"))
