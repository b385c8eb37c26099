#!/usr/bin/env python3
"""Tries scripts/setup and run on machines that differ: chroots of a distribution's packages.

    setup_trials.py [TRIAL]... [--folder FOLDER]

A machine is an image that mmdebstrap made (Debian 12, the smallest set of packages) under an
overlay that is thrown away, in namespaces of its own for mounts, processes and, offline, the
network. It holds a clone of this repository's HEAD. Printed is a line for each trial: whether
that was seen which is wanted; what setup and run said lies in FOLDER. Exit code 1 where
something else was.

Wants root, mmdebstrap, curl, ip, unshare, overlayfs and half an hour. The image, and what
`bare` installed and built, are kept in FOLDER. `old-bash` takes the bash of Ubuntu 18.04.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UBUNTU = "http://archive.ubuntu.com/ubuntu/pool/main"
IMAGE = ["--variant=minbase", "--include=apt,ca-certificates", "bookworm"]
ARCHIVE = "http://deb.debian.org/debian"
OLD_BASH = [
    f"{UBUNTU}/b/bash/bash_4.4.18-2ubuntu1_amd64.deb",
    f"{UBUNTU}/n/ncurses/libtinfo5_6.1-1ubuntu1_amd64.deb",
]
RUN = "scripts/run small.yaml --output-dir ~/records"
SMALL = """strata_suite: 1
runs:
  - {app: stream, set: {problem.size: 100003}}
"""
NO_LOCKS = """#include <errno.h>
int flock(int file, int operation) { (void)file; (void)operation; errno = ENOSYS; return -1; }
"""
"""What a Lustre that is mounted without `flock` answers."""


@dataclass(frozen=True)
class Trial:
    name: str
    command: str
    wanted: str
    """Expression of what it prints."""
    code: int = 0
    prepare: str = ""
    """What root does to the machine before."""
    user: str = "user"
    packages: bool = True
    """Whether it has what `bare` installed and the Kokkos it built."""
    network: bool = True


PASSED = r"status=PASS"
TRIALS = [
    Trial(
        "bare", f"{RUN} && ~/.cache/strata/python-*/bin/python -m pip download --quiet "
        "-d /opt/wheels -r scripts/requirements/report.txt", PASSED,
        user="root", packages=False,
    ),
    Trial(
        "no-root", "scripts/run", r"no way to install packages:\n(.*\n)*.*put GCC 12", 1,
        packages=False,
    ),
    Trial(
        "no-apt", f"Kokkos_ROOT=/opt/kokkos {RUN}", PASSED,
        prepare="mv /root/.cache/strata/kokkos-*[0-9a-f] /opt/kokkos; rm -r ~user/.cache "
        "/usr/bin/apt* /usr/bin/dpkg*",
    ),
    Trial(
        "no-apt-no-kokkos", "scripts/run", r"no usable Kokkos(.*\n)*.*set Kokkos_ROOT", 1,
        prepare="rm -r ~user/.cache /usr/bin/apt*",
    ),
    Trial(
        "offline", f"export STRATA_WHEELS=/opt/wheels; {RUN} && scripts/strata report "
        "--output ~/page ~/records", PASSED, network=False,
        prepare="[[ -d /opt/wheels ]] && rm -r /root/.cache/strata/python-*",
    ),
    Trial(
        "no-locks", f"LD_PRELOAD=/opt/no-locks.so {RUN}", rf"cannot be locked(.*\n)*.*{PASSED}",
        prepare="rm -r ~user/.cache; gcc -shared -fPIC -o /opt/no-locks.so /opt/no-locks.c",
    ),
    Trial(
        "old-bash", f"bash --version | head -n 1; {RUN}", rf"version 4\.4(.*\n)*.*{PASSED}",
        prepare="cp /opt/old-bash/lib/*/* /lib/*-gnu/; "
        "cp --remove-destination /opt/old-bash/bin/bash /bin/bash",
    ),
    Trial(
        "read-only",
        f"cp small.yaml ~; cd; ! touch strata/here && STRATA_BUILD_DIR=~/build strata/{RUN}",
        PASSED, prepare="mount --bind . . && mount -o remount,bind,ro .",
    ),
]  # fmt: skip


class Machine:
    """The image, and overlays of it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.image = folder / "image"
        self.prepared = folder / "prepared"
        """What `bare` changed: packages, and a Kokkos in root's cache."""
        if not self.image.exists():
            folder.mkdir(parents=True, exist_ok=True)
            self._make()

    def _make(self) -> None:
        made = self.folder / "made"
        shutil.rmtree(made, ignore_errors=True)
        subprocess.run(["mmdebstrap", *IMAGE, made, ARCHIVE], check=True)
        (made / "opt" / "no-locks.c").write_text(NO_LOCKS)
        for url in OLD_BASH:
            file = self.folder / url.rsplit("/", 1)[1]
            subprocess.run(["curl", "--fail", "--silent", "-o", file, url], check=True)
            subprocess.run(["dpkg-deb", "-x", file, made / "opt/old-bash"], check=True)
        made.rename(self.image)

    def run(self, trial: Trial) -> tuple[int, str]:
        """Exit code and what was printed; bare's changes are kept."""
        kept = self.prepared if trial.name == "bare" else self.folder / "changes"
        shutil.rmtree(kept, ignore_errors=True)
        for part in ("upper", "work", "root"):
            (kept / part).mkdir(parents=True)
        lower = f"{self.prepared}/upper:{self.image}" if trial.packages else f"{self.image}"
        net = [] if trial.network else ["--net"]
        script = self._script(trial, kept, lower)
        words = ["unshare", "--mount", "--pid", "--fork", *net, "bash", "-c", script]
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return done.returncode, done.stdout

    def _script(self, trial: Trial, kept: Path, lower: str) -> str:
        home = "/root" if trial.user == "root" else f"/home/{trial.user}"
        inside = f"set -e; cd {home}/strata\n{trial.prepare}\n"
        command = f"cd strata; {trial.command}"
        inside += f"exec su - {trial.user} -c {shlex.quote(command)}\n"
        options = f"lowerdir={lower},upperdir={kept}/upper,workdir={kept}/work"
        return f"""set -e
            root={kept}/root
            ip link set lo up
            mount -t overlay overlay -o {options} $root
            mount -t proc proc $root/proc
            for folder in dev sys; do mount --rbind /$folder $root/$folder; done
            {_network_settings()}
            [[ {trial.user} == root ]] ||
                useradd --root $root --create-home --shell /bin/bash {trial.user}
            rm -rf $root{home}/strata
            git clone --quiet --no-hardlinks {ROOT} $root{home}/strata
            cat >$root{home}/strata/small.yaml <<<{shlex.quote(SMALL)}
            if [[ -d $root/root/.cache/strata && {trial.user} != root ]]; then
                mkdir -p $root{home}/.cache/strata
                cp -r $root/root/.cache/strata/kokkos-*[0-9a-f] $root{home}/.cache/strata
            fi
            chroot $root chown -R {trial.user}: {home}
            exec chroot $root bash -c {shlex.quote(inside)}"""


def _network_settings() -> str:
    """Has the machine reach packages as this one does: its resolver, certificates and pip's
    settings."""
    return """
            rm -rf $root/etc/resolv.conf $root/etc/ssl/certs
            cp -rL /etc/ssl/certs $root/etc/ssl/
            cat /etc/resolv.conf >$root/etc/resolv.conf
            settings=/etc/pip.conf
            for file in $settings $(sed -n 's/^ *cert *= *//p' $settings 2>/dev/null); do
                [[ ! -e $file ]] || { mkdir -p $root${file%/*} && cp -L $file $root$file; }
            done"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [trial.name for trial in TRIALS]
    parser.add_argument(
        "trials", nargs="*", metavar="TRIAL", help=f"of {', '.join(names)}; all"
    )
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/strata-setup-trials"))
    arguments = parser.parse_args()
    if unknown := set(arguments.trials) - set(names):
        parser.error(f"no trial is {', '.join(sorted(unknown))}")
    machine = Machine(arguments.folder.resolve())
    failed = 0
    for trial in TRIALS:
        needed = trial.name == "bare" and not machine.prepared.exists()
        if arguments.trials and trial.name not in arguments.trials and not needed:
            continue
        begin = time.monotonic()
        code, text = machine.run(trial)
        (machine.folder / f"{trial.name}.txt").write_text(text)
        right = code == trial.code and re.search(trial.wanted, text)
        failed += not right
        state = "as wanted" if right else f"NOT: exit {code} of {trial.code}"
        print(f"{trial.name:18}{time.monotonic() - begin:6.0f} s  {state}", flush=True)
        if trial.name == "bare" and not right:  # the others go on from it
            shutil.rmtree(machine.prepared)
            break
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
