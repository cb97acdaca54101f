"""mypy --strict finds what is wrong in typed_calls.py, and nothing else.

Usage: typed_test.py PACKAGE FOLDER     PACKAGE: the folder that holds the package; FOLDER: for an environment with mypy
Ends with 77 where neither this interpreter has mypy nor pip can get it.
"""
import os
import re
import subprocess
import sys

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "typed_calls.py")
MODULES = ("mypy", "numpy>=2.1")


def has_mypy(python):
    return os.path.exists(python) and subprocess.run([python, "-c", "import mypy, numpy; assert numpy.__version__ >= '2.1'"], capture_output=True).returncode == 0


def interpreter(folder):
    """One that has mypy and a NumPy with types."""
    made = os.path.join(folder, "bin/python3")
    for python in (sys.executable, made):
        if has_mypy(python):
            return python
    for command in ([sys.executable, "-m", "venv", "--clear", folder], [made, "-m", "pip", "install", "--quiet", *MODULES]):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            print(f"skipped: pip cannot get {', '.join(MODULES)}: {run.stdout.strip().splitlines()[-1]}")
            sys.exit(77)
    return made


def main():
    package, folder = sys.argv[1:]
    run = subprocess.run(
        [interpreter(folder), "-m", "mypy", "--strict", "--python-version", "3.11", "--cache-dir", os.path.join(folder, "cache"), SAMPLE],
        env={**os.environ, "MYPYPATH": package}, capture_output=True, text=True)
    found = {int(number): words for number, words in re.findall(r"typed_calls\.py:(\d+): error: (.*)", run.stdout)}
    with open(SAMPLE, encoding="utf-8") as file:
        wrong = {number for number, line in enumerate(file, 1) if line.rstrip().endswith("# wrong")}
    for number in sorted(wrong - set(found)):
        print(f"{SAMPLE}:{number}: mypy finds nothing wrong here")
    for number in sorted(set(found) - wrong):
        print(f"{SAMPLE}:{number}: {found[number]}")
    if run.stderr or not found:
        sys.exit(f"mypy ended with {run.returncode}: {run.stderr or run.stdout}")
    if not wrong or set(found) != wrong:
        sys.exit(1)
    print(f"mypy finds the {len(wrong)} calls that are wrong, and no other")


main()
