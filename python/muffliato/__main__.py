"""The command ``muffliato``, as ``python -m muffliato``."""

import os
import subprocess
import sys

from .running import binary


def main() -> None:
    """Runs the command in place of this process."""
    command = [str(binary()), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()
