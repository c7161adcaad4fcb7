"""The whole server in one process on virtual time: crashes, lost and late messages, slow disks, clocks that are off.

Everything follows from a seed. `python -m nimmt.testing.simulation --help`; how it works: `docs/simulation.md`.
"""

from nimmt.testing.simulation.planted import PLANTED
from nimmt.testing.simulation.world import WorldReport, run

__all__ = ["PLANTED", "WorldReport", "run"]
