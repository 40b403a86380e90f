"""``python -m crdlint`` and the console script."""

from __future__ import annotations

import os
import signal
import sys

from crdlint.errors import EXIT_INTERRUPTED


def _end_interrupted(*_: object) -> None:
    """End at once, with all processes that were started: Python's own way out complains when it is interrupted."""
    if "multiprocessing.process" in sys.modules:
        from multiprocessing import active_children

        for child in active_children():
            child.terminate()
    os._exit(EXIT_INTERRUPTED)


def main() -> None:
    """Run the command line. An interrupt shows no traceback, not even while it is still being loaded."""
    before = signal.getsignal(signal.SIGINT)
    try:
        # Python complains of an interrupt in the midst of an import whoever catches it.
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, _end_interrupted)
        from crdlint.cli import main as run

        signal.signal(signal.SIGINT, before)
        run()
    except KeyboardInterrupt:
        _end_interrupted()
    except SystemExit as end:
        if end.code == EXIT_INTERRUPTED:
            _end_interrupted()
        raise


if __name__ == "__main__":
    main()
