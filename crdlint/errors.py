"""What goes wrong outside the files that are checked."""

from __future__ import annotations

# Said here for those who load nothing else.
EXIT_INTERRUPTED = 130


class UsageError(Exception):
    """Wrong usage: exit code 2. The message says what is wrong and what to do about it."""
