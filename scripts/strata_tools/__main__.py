"""What is done around the mini-apps' executables.

One module per verb: its `add_arguments(parser)` and `main(arguments) -> exit code`.
"""

import argparse
import difflib
import errno
import os
import sys

from strata_tools import compare, race, report, run, seal, streams, submit, verify
from strata_tools.text import printable

VERBS = {
    "run": run, "race": race, "submit": submit, "compare": compare, "report": report,
    "seal": seal, "verify": verify,
}  # fmt: skip
HANDS_ON = ("race",)
"""Verbs that hand what stands after -- on to executables."""


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="strata", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True, metavar=f"{{{','.join(VERBS)}}}")
    for name, module in VERBS.items():
        summary = module.__doc__.splitlines()[0]
        module.add_arguments(verbs.add_parser(name, help=summary, description=module.__doc__))
    words, dashes, handed_on = _split(sys.argv[1:] if words is None else words)
    arguments, unknown = parser.parse_known_args(words)
    if dashes and arguments.verb not in HANDS_ON:
        unknown += [dashes, *handed_on]
    if unknown:
        _refuse(verbs.choices[arguments.verb], unknown[0])
    arguments.handed_on = handed_on
    return VERBS[arguments.verb].main(arguments)


def _split(words: list[str]) -> tuple[list[str], str, list[str]]:
    """What stands before --, it itself if it is there, and what stands after it."""
    end = words.index("--") if "--" in words else len(words)
    return words[:end], "".join(words[end : end + 1]), words[end + 1 :]


def _refuse(parser: argparse.ArgumentParser, word: str) -> None:
    """Ends the program by the verb's own usage, and the option that may have been meant."""
    known = [option for action in parser._actions for option in action.option_strings]
    near = difflib.get_close_matches(word.partition("=")[0], known, n=1)
    parser.error(f"unknown argument {word}" + (f" (did you mean {near[0]}?)" if near else ""))


def no_room(error: OSError) -> int:
    """Says what could not be written, and what to do; raises what is no lack of room."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        raise error
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what is still to be flushed
    where = printable(error.filename or "standard output or a log")
    print(
        f"strata: {where}: {error.strerror}; make room and give the same command again",
        file=sys.stderr,
    )
    return run.NOT_WRITABLE


if __name__ == "__main__":
    streams.outlive_readers()
    try:
        try:
            code = main()
        finally:
            if sys.stdout is not None:  # closed by whoever started this
                sys.stdout.flush()
    except OSError as error:
        code = no_room(error)
    sys.exit(code)
