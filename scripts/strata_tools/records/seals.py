"""Records that a list of sums names (`strata seal`, or a job's): whether they are as then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from strata_tools import sums
from strata_tools.text import printable


class Seals:
    """What the lists below some folders say. Whether nobody made a new list of altered records
    is for a list's signature to show."""

    def __init__(self, folders: Iterable[Path]):
        self.faults: list[tuple[Path, str]] = []
        """Lists that cannot be read, and why."""
        self._by_file: dict[Path, list[tuple[str, Path]]] = defaultdict(list)
        for folder in folders:
            try:
                inside = sorted(folder.rglob(f"{sums.NAME}*")) if folder.is_dir() else []
            except OSError:  # said when its records are read
                inside = []
            for one in inside:
                if sums.is_list(one):
                    self._add(one)

    def _add(self, path: Path) -> None:
        try:
            listed = sums.read(path)
        except sums.SumsError as fault:
            reason = str(fault).removeprefix(f"{printable(str(path))}:").strip()
            self.faults.append((path, reason))
            return
        for file, found in listed.items():
            self._by_file[file.resolve()].append((found, path))

    def of(self, record: Path) -> Path | None:
        """The list that names it; or none. Raises ValueError where it has changed since."""
        named = self._by_file.get(record.resolve(), [])
        if not named:
            return None
        now = sums.sum_of(record)
        for found, path in named:
            if found != now:
                raise ValueError(f"was changed since {printable(str(path))} was made")
        return named[-1][1]
