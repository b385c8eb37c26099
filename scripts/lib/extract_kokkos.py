"""Takes Kokkos out of the distribution's archive of Trilinos.

    extract_kokkos.py ARCHIVE OUTPUT_FOLDER

Stops reading behind it, where tar would decompress the rest: 1.5 s in place of 5.6.
"""

import sys
import tarfile
from pathlib import Path, PurePosixPath

WHERE = ("packages", "kokkos")  # below the archive's one folder; its entries lie together


def main(archive: str, output: str) -> int:
    found = False
    with tarfile.open(archive, "r|*") as entries:
        for entry in entries:
            parts = PurePosixPath(entry.name).parts
            if parts[1:3] != WHERE:
                if found:
                    return 0
                continue
            found = True
            inside = PurePosixPath(*parts[3:])
            if entry.isfile() and ".." not in inside.parts:
                target = Path(output, inside)
                target.parent.mkdir(parents=True, exist_ok=True)
                content = entries.extractfile(entry)
                assert content is not None
                target.write_bytes(content.read())
                target.chmod(entry.mode)
    if not found:
        print(f"{archive} has no folder {'/'.join(WHERE)}", file=sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
