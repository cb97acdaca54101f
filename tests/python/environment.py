"""Makes FOLDER/python3, which runs an interpreter that has NumPy.

The interpreter that CMake found comes first, then the distribution's, whose NumPy scripts/packages installs: neither needs
a network. Where both lack it, a virtual environment below FOLDER gets it from the package index.

Usage: environment.py FOLDER
"""
import os
import shlex
import subprocess
import sys

DISTRIBUTION = "/usr/bin/python3"


def has_numpy(python):
    return os.path.exists(python) and subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0


def make_environment(folder):
    """A virtual environment with NumPy; what an earlier attempt left is replaced."""
    for command in (
        [sys.executable, "-m", "venv", "--clear", folder],
        [os.path.join(folder, "bin/python3"), "-m", "pip", "install", "--quiet", "numpy"],
    ):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            sys.exit(f"neither {sys.executable} nor {DISTRIBUTION} has NumPy (scripts/packages test installs it), and "
                     f"{shlex.join(command)} ended with {run.returncode}:\n{run.stdout}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: environment.py FOLDER")
    folder = os.path.abspath(sys.argv[1])
    environment = os.path.join(folder, "environment")
    made = os.path.join(environment, "bin/python3")
    python = next(filter(has_numpy, (sys.executable, DISTRIBUTION, made)), None)
    if python is None:
        make_environment(environment)
        python = made
    os.makedirs(folder, exist_ok=True)
    launcher = os.path.join(folder, "python3")
    with open(launcher + ".new", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {shlex.quote(python)} "$@"\n')
    os.chmod(launcher + ".new", 0o755)
    os.replace(launcher + ".new", launcher)
    print(f"{launcher} runs {python}")


main()
