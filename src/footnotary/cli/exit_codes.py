"""Exit codes, and how an error ends a command."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from enum import IntEnum

from footnotary.errors import BackendError, DocumentError, FootnotaryError, UsageError


class ExitCode(IntEnum):
    """0 answered and grounded · 1 internal or backend failure · 2 usage · 3 refused · 4 contract violated."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    REFUSED = 3
    VIOLATION = 4


def legacy_exit_code(code: ExitCode) -> int:
    """The codes of the original scripts: 0 grounded, 1 not."""
    return 0 if code is ExitCode.OK else 1


@contextmanager
def exit_on_error() -> Generator[None]:
    """Prints an error in one line with its hint, and exits with its code; no traceback, no input echoed.

    For an operating system error it prints the file and the reason.
    """
    try:
        yield
    except (UsageError, DocumentError) as error:
        _print_error(error)
        raise SystemExit(ExitCode.USAGE) from None
    except FootnotaryError as error:
        _print_error(error)
        raise SystemExit(ExitCode.FAILURE) from None
    except BrokenPipeError:
        # The reader of our output exited (`| head`): this is not an error, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(ExitCode.OK) from None
    except OSError as error:  # a file cannot be read or written
        named = f"{error.filename}: " if error.filename is not None else ""
        _print_error(BackendError(f"{named}{error.strerror or str(error) or type(error).__name__}"))
        raise SystemExit(ExitCode.FAILURE) from None


def _print_error(error: FootnotaryError) -> None:
    from footnotary.cli.output import printable

    print(f"error: {printable(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"hint: {printable(error.hint)}", file=sys.stderr)
