"""What a person sees when something goes wrong that is no finding. A traceback only with --debug."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crdlint import project
from crdlint.cli.output import silence
from crdlint.errors import EXIT_INTERRUPTED, UsageError
from crdlint.report.sanitise import clean, shorten

EXIT_FINDINGS, EXIT_FAILURE = 1, 2
# Of a message; it may name several paths.
_LONGEST = 20_000
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


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
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            # Of what typer itself prints: help, and the version.
            silence(sys.stdout)
            complain(f"the output cannot be written: {error.strerror}")
            sys.exit(EXIT_FAILURE)
        if debug:
            import traceback

            _say(traceback.format_exc())
            sys.exit(EXIT_FAILURE)
        complain(
            f"this is a fault of crdlint {project.version()} itself ({type(error).__name__}: {error}); "
            f"please report it at {project.HOME}/issues, with what --debug prints"
        )
        sys.exit(EXIT_FAILURE)


def complain(message: str) -> None:
    """One line on standard error."""
    line = clean(shorten(message, _LONGEST).replace("\n", " "))
    _say(f"crdlint: {line}\n")


def unlistable(complain: Callable[[str], None]) -> Callable[[str, OSError], None]:
    """What becomes of a folder that cannot be listed while files are looked for: a complaint."""
    return lambda path, error: complain(f"{path}: cannot be listed: {error.strerror}")


def _say(text: str) -> None:
    """Nobody can be told where standard error cannot be written: a run goes on as if somebody had been."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)
