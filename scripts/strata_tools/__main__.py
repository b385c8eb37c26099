"""What is done around the mini-apps' executables.

One module per verb: its `add_arguments(parser)` and `main(arguments) -> exit code`.
"""

import argparse
import sys

from strata_tools import compare, report, run, submit

VERBS = {"run": run, "submit": submit, "compare": compare, "report": report}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="strata", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, module in VERBS.items():
        summary = module.__doc__.splitlines()[0]
        module.add_arguments(verbs.add_parser(name, help=summary, description=module.__doc__))
    arguments = parser.parse_args(words)
    return VERBS[arguments.verb].main(arguments)


if __name__ == "__main__":
    sys.exit(main())
