"""What a person sees when something goes wrong that is no finding. A traceback only with --debug."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from crdlint import project
from crdlint.cli.output import silence
from crdlint.errors import EXIT_INTERRUPTED, UsageError
from crdlint.report.sanitise import clean

EXIT_FINDINGS, EXIT_FAILURE = 1, 2


@contextmanager
def report_failures(debug: bool) -> Iterator[None]:
    """Turn exceptions into one line on standard error and an exit code."""
    try:
        yield
    except UsageError as error:
        complain(str(error))
        sys.exit(EXIT_FAILURE)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        silence(sys.stdout)
        sys.exit(EXIT_FINDINGS)
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exc()
            sys.exit(EXIT_FAILURE)
        complain(
            f"this is a fault of crdlint {project.version()} itself ({type(error).__name__}: {error}); "
            f"please report it at {project.HOME}/issues, with what --debug prints"
        )
        sys.exit(EXIT_FAILURE)


def complain(message: str) -> None:
    """One line on standard error."""
    line = clean(message.replace("\n", " "))
    sys.stderr.write(f"crdlint: {line}\n")
    sys.stderr.flush()
