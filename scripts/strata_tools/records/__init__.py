"""Records of runs: found in folders, held against the schema, read into small objects.

What is no record is named and skipped (`Skipped`): the rest goes on.
"""

from strata_tools.records.model import Case, Deck, Fom, Record
from strata_tools.records.reading import RACE, Skipped, gather, gather_each, read

__all__ = [
    "RACE",
    "Case",
    "Deck",
    "Fom",
    "Record",
    "Skipped",
    "gather",
    "gather_each",
    "read",
]
