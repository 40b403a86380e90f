"""``python -m crdlint`` and the console script."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. An interrupt while it is still being loaded shows no traceback either."""
    try:
        from crdlint.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
