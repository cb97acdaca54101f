#!/usr/bin/env python3
"""What a build of some ladders (LANEWORK_LADDERS) leaves out, nothing else may need: of each operation, no function or
object of its folder is referred to from outside of it, or such a build would not link. That is read from the symbols
of what this build has compiled; nothing is linked again.

    tests/build/left_out.py BUILD_FOLDER ROOT
"""
import collections
import glob
import os
import re
import subprocess
import sys

COMPILED = re.compile(r"/CMakeFiles/lanework_(?:operations|rungs_[a-z0-9_]+)\.dir/(?:__/simt/ops/)?([^/]+)/(.+)\.o$")
# The list of operations is written for each build: it has those that are there, and words for the others.
WRITTEN = re.compile(r"^lanework_(operation|rung_(cpu|simt|cuda))_")


def symbols(objects):
    """Of each object, what it defines for others and what it refers to."""
    defined, needed = {}, {}
    said = subprocess.run(["nm", "-A", "-g", "--no-sort", *objects], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        found = re.match(r"(.*\.o):(?:[0-9a-f]+| +) (\w) (\S+)", line)
        if not found:
            sys.exit(f"nm wrote: {line}")
        place, kind, name = found.groups()
        if kind == "U":
            needed.setdefault(place, set()).add(name)
        elif kind not in "WVuvw":  # what headers bring along is everybody's
            defined.setdefault(place, set()).add(name)
    return defined, needed


def uses(of_operations, owners, needed, everybody, included):
    """How many symbols of operations are used where they may be, and where others are: `owners` has of each symbol the
    (operation, source)s that define it, `included` of each operation those whose folders its operation.cpp includes."""
    shared, wrong = 0, []
    for path, names in needed.items():
        user = of_operations.get(path, ("", ""))[0]
        for name in names - everybody:
            for operation, source in owners.get(name, ()):
                beside = "/" not in source and source.endswith(".cpp") and source != "operation.cpp"
                if operation == user or (beside and operation in included.get(user, ())):
                    shared += 1
                else:
                    wrong.append(f"{path} needs {name}, which ops/{operation}/{source} defines")
    return shared, wrong


def main(build, root):
    of_operations = {}
    for path in glob.glob(f"{build}/ops/CMakeFiles/lanework_*.dir/**/*.o", recursive=True):
        found = COMPILED.search(path)
        if found and os.path.isdir(f"{root}/ops/{found[1]}"):
            of_operations[path] = (found[1], found[2])
    # An operation's functions of images are left out with it, and are compiled together with other operations'.
    elsewhere = [path for path in glob.glob(f"{build}/src/CMakeFiles/*.dir/**/*.o", recursive=True)
                 if "/lanework_image.dir/" not in path]
    defined, needed = symbols([*of_operations, *elsewhere])
    owners = collections.defaultdict(set)
    for path, (operation, source) in of_operations.items():
        for name in defined.get(path, ()):
            if not WRITTEN.match(name):
                owners[name].add((operation, source))
    everybody = {name for path in elsewhere for name in defined.get(path, ())}
    # What an operation includes of another's folder is compiled with it, but for the other's own operation.cpp and rungs.
    included = {}
    for operation in {operation for operation, _ in of_operations.values()}:
        with open(f"{root}/ops/{operation}/operation.cpp", encoding="utf-8") as text:
            included[operation] = set(re.findall(r'^#include "ops/([^/]+)/', text.read(), re.M)) | {operation}
    shared, wrong = uses(of_operations, owners, needed, everybody, included)
    if len(owners) < 20 or shared < 5:
        sys.exit(f"{len(owners)} symbols of operations and {shared} uses of them were found: the build is not understood")
    if wrong:
        sys.exit("\n".join(sorted(line.replace(f"{build}/", "", 1) for line in wrong)))


if __name__ == "__main__":
    main(*map(os.path.realpath, sys.argv[1:3]))
