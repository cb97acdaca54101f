"""Makes FOLDER/python3, which runs an interpreter that has some modules: NumPy, where no others are named.

The interpreter that CMake found comes first, then the distribution's, whose modules scripts/packages installs: neither
needs a network. Where both lack one, a virtual environment below FOLDER gets them from the package index.

Usage: environment.py FOLDER [MODULE…]
"""
import os
import shlex
import subprocess
import sys

DISTRIBUTION = "/usr/bin/python3"


def has(python, modules):
    command = [python, "-c", "import " + ", ".join(modules)]
    return os.path.exists(python) and subprocess.run(command, capture_output=True).returncode == 0


def make_environment(folder, modules):
    """A virtual environment with the modules; what an earlier attempt left is replaced."""
    for command in (
        [sys.executable, "-m", "venv", "--clear", folder],
        [os.path.join(folder, "bin/python3"), "-m", "pip", "install", "--quiet", *modules],
    ):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            sys.exit(f"neither {sys.executable} nor {DISTRIBUTION} has {', '.join(modules)} (scripts/packages test installs them), and "
                     f"{shlex.join(command)} ended with {run.returncode}:\n{run.stdout}")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: environment.py FOLDER [MODULE…]")
    modules = sys.argv[2:] or ["numpy"]
    folder = os.path.abspath(sys.argv[1])
    environment = os.path.join(folder, "environment")
    made = os.path.join(environment, "bin/python3")
    python = next((each for each in (sys.executable, DISTRIBUTION, made) if has(each, modules)), None)
    if python is None:
        make_environment(environment, modules)
        python = made
    os.makedirs(folder, exist_ok=True)
    launcher = os.path.join(folder, "python3")
    with open(launcher + ".new", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {shlex.quote(python)} "$@"\n')
    os.chmod(launcher + ".new", 0o755)
    os.replace(launcher + ".new", launcher)
    print(f"{launcher} runs {python}")


main()
