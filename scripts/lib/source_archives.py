"""Derives, for apt, the distribution's source archives from its package archives.

    source_archives.py SOURCES_LIST SOURCES_FOLDER OUTPUT_FOLDER

Every entry for a suite of this distribution is written again as deb-src; entries of other
archives (drivers, editors, ...) are left out, since they need not offer sources.
"""

import re
import sys
from pathlib import Path

ALIASES = ("stable", "oldstable", "testing", "unstable", "sid")


def codename() -> str:
    text = Path("/etc/os-release").read_text(encoding="utf-8")
    found = re.search(r'^VERSION_CODENAME="?([^"\n]+)', text, re.MULTILINE)
    return found.group(1) if found else ""


def ours(suite: str, release: str) -> bool:
    """`bookworm`, `bookworm-updates`, `stable-security`; not -backports, whose newer sources
    apt would prefer."""
    names = "|".join(re.escape(name) for name in (release, *ALIASES) if name)
    return re.fullmatch(rf"(?:{names})(?:-updates|-security)?", suite) is not None


def from_stanzas(text: str, release: str) -> list[str]:
    """The deb822 format: paragraphs of `Field: value`."""
    kept = []
    for stanza in re.split(r"\n\s*\n", text):
        suites = re.search(r"^Suites:(.*(?:\n[ \t].*)*)", stanza, re.MULTILINE)
        disabled = re.search(
            r"^Enabled:\s*(no|false|0)\b", stanza, re.MULTILINE | re.IGNORECASE
        )
        if disabled or not suites or not any(ours(s, release) for s in suites.group(1).split()):
            continue
        kept.append(re.sub(r"^Types:.*", "Types: deb-src", stanza.strip(), flags=re.MULTILINE))
    return kept


def from_lines(text: str, release: str) -> list[str]:
    """The one-line format: `deb [options] uri suite component...`."""
    kept = []
    for line in text.splitlines():
        entry = re.match(r"deb(?:-src)?\s+((?:\[[^]]*]\s+)?\S+\s+(\S+).*)", line.strip())
        if entry and ours(entry.group(2), release):
            kept.append(f"deb-src {entry.group(1)}")
    return kept


def main(sources_list: str, sources_folder: str, output: str) -> int:
    release = codename()
    folder = Path(sources_folder)
    lists = [Path(sources_list), *sorted(folder.glob("*.list"))]
    lines = [
        entry
        for file in lists
        if file.is_file()
        for entry in from_lines(file.read_text(encoding="utf-8"), release)
    ]
    stanzas = [
        entry
        for file in sorted(folder.glob("*.sources"))
        for entry in from_stanzas(file.read_text(encoding="utf-8"), release)
    ]
    if not lines and not stanzas:
        print("apt knows no package archive of this distribution", file=sys.stderr)
        return 1
    unique = list(dict.fromkeys(lines))
    Path(output, "strata.list").write_text("\n".join(unique) + "\n", encoding="utf-8")
    Path(output, "strata.sources").write_text("\n\n".join(stanzas) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
