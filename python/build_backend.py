"""The build backend: maturin, after the command has been built for the wheel to carry.

The extension module has no command line and draws no pictures; what needs them runs the command.
"""

import os
import shutil
import subprocess
from pathlib import Path

from maturin import *  # noqa: F403
import maturin

HERE = Path(__file__).resolve().parent


def carry_command():
    """Builds the command and copies it into the package."""
    name = "muffliato.exe" if os.name == "nt" else "muffliato"
    target = os.environ.get("CARGO_BUILD_TARGET", "")
    subprocess.run(["cargo", "build", "--locked", "--release", "--bin", "muffliato"], cwd=HERE.parent, check=True)
    built = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target")) / target / "release" / name
    (HERE / "muffliato" / "bin").mkdir(exist_ok=True)
    shutil.copy2(built, HERE / "muffliato" / "bin" / name)


def build_wheel(*arguments, **options):
    carry_command()
    return maturin.build_wheel(*arguments, **options)
