"""`pip wheel` makes the package of this checkout, an empty environment installs the wheel, and what it computes is right.

Usage: wheel_test.py SOURCES FOLDER [BUILD]
FOLDER keeps what is made, so that only what has changed is made again. The library is that of the build folder BUILD;
without one pip compiles it, as it does for a user, but optimised little, since nobody times it.
Ends with 77 where pip cannot get what the build or the environment needs.
"""
import glob
import os
import re
import subprocess
import sys
import time

PROGRAM = """
import os, lanework, numpy
a, b = numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
assert (lanework.matmul(a, b) == a @ b).all(), "a product is wrong"
assert (lanework.gray(numpy.full((4, 5, 3), 7, numpy.uint8)) == 7).all(), "a picture is wrong"
folder = os.path.dirname(lanework.__file__)
missing = {"py.typed", "__init__.pyi", "liblanework_c.so", "layout.py"} - set(os.listdir(folder))
assert not missing, f"the wheel lacks {missing}"
print(lanework.__version__, folder)
"""
# What pip says where it cannot get a package: no network, no such version there.
NOT_TO_BE_HAD = re.compile(r"No matching distribution found|Could not find a version|Failed to establish a new connection|Could not fetch URL|Network is unreachable|timed out")


def run(what, command, **options):
    began = time.perf_counter()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ended.returncode != 0:
        if missing := NOT_TO_BE_HAD.search(ended.stdout):
            print(f"skipped: {what}: pip cannot get what it needs: {missing.group()}")
            sys.exit(77)
        sys.exit(f"{what} ended with {ended.returncode}:\n{ended.stdout[-4000:]}")
    print(f"{what}: {time.perf_counter() - began:.1f} s")
    return ended.stdout


def main():
    sources, folder, *built = (os.path.abspath(each) for each in sys.argv[1:])
    defines = [f"BUILT={built[0]}"] if built else ["QUICK=-O0", "UNITE=ON"]
    wheels, made, build = (os.path.join(folder, name) for name in ("wheels", "environment", "build"))
    for old in glob.glob(os.path.join(wheels, "*.whl")):
        os.remove(old)
    # pip of the environment, whatever the interpreter has; none of what a caller's own package needs is seen there.
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LANEWORK_")) and name != "LD_PRELOAD"}
    run("an empty environment", [sys.executable, "-m", "venv", "--clear", made], env=alone)
    python = os.path.join(made, "bin/python3")
    run("the wheel", [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, f"--config-settings=build-dir={build}",
                       *(f"--config-settings=cmake.define.LANEWORK_{each}" for each in defines), sources],
        env={**alone, "CMAKE_BUILD_PARALLEL_LEVEL": "2"})
    found = glob.glob(os.path.join(wheels, "lanework-*.whl"))
    if len(found) != 1:
        sys.exit(f"pip made {found}; one wheel is right")
    run("its installation", [python, "-m", "pip", "install", "--quiet", found[0]], env=alone)
    version, where = run("a product", [python, "-c", PROGRAM], env=alone, cwd=folder).split()
    if not where.startswith(made):
        sys.exit(f"{where} is not the package of the wheel")
    print(f"{os.path.basename(found[0])} computes; it is version {version}")


main()
