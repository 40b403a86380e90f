"""``python -m crdlint`` and the console script."""

from __future__ import annotations

import os
import sys

from crdlint.errors import EXIT_INTERRUPTED


def main() -> None:
    """Run the command line. An interrupt shows no traceback, not even while it is still being loaded."""
    try:
        from crdlint.cli import main as run

        run()
    except KeyboardInterrupt:
        _end_interrupted()
    except SystemExit as end:
        if end.code == EXIT_INTERRUPTED:
            _end_interrupted()
        raise


def _end_interrupted() -> None:
    """End at once, with all processes that were started: Python's own way out complains when it is interrupted."""
    if "multiprocessing.process" in sys.modules:
        from multiprocessing import active_children

        for child in active_children():
            child.terminate()
    os._exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()
