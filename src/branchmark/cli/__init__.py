"""The command line; each command lives in a file of its own and imports what it needs when it runs."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and turn errors that users can mend into one line and an exit code."""
    # A command is short-lived and makes no reference cycles worth looking for; looking takes a tenth of a short run.
    gc.disable()
    from branchmark.cli.app import app
    from branchmark.errors import BranchmarkError, MeasureError

    try:
        app()
    except MeasureError as error:
        fail(error, 2)
    except BranchmarkError as error:
        fail(error, 1)
    except BrokenPipeError:
        # whoever read our output has enough; the interpreter must not complain while it shuts down
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        fail("interrupted", 130)


def fail(message: object, code: int) -> None:
    """One line on stderr, and out."""
    print(f"Error: {message}", file=sys.stderr)
    sys.exit(code)
