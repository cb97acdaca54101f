#!/usr/bin/env python3
"""JSON as the program writes documents (src/io/json.cpp): one member a line, a list of plain values on one line.

Scripts that keep results call `write_whole`. Run with files, it rewrites those that are longer than they need be, and
refuses one whose values would not stay the same.
"""
import json
import os
import sys


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def flat(value, columns):
    """Whether a value fits on one line: lists of plain values always do, and small things of one level."""
    if not isinstance(value, (list, dict)) or not value:
        return True
    inner = value.values() if isinstance(value, dict) else value
    if any(isinstance(each, (list, dict)) for each in inner):
        return False
    return isinstance(value, list) or len(line(value)) <= columns


def text(value, indent=0, columns=120):
    if flat(value, columns - indent):
        return line(value)
    start = "\n" + " " * (indent + 1)
    if isinstance(value, dict):
        inner = [line(name) + ": " + text(each, indent + 1, columns) for name, each in value.items()]
        left, right = "{}"
    else:
        inner = [text(each, indent + 1, columns) for each in value]
        left, right = "[]"
    return left + ",".join(start + each for each in inner) + "\n" + " " * indent + right


def document(value):
    return text(value) + "\n"


def write_whole(path, value):
    """Writes the file whole or not at all."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(document(value))
    os.replace(path + ".new", path)


def main(files):
    for name in files:
        with open(name, encoding="utf-8") as file:
            before = file.read()
        value = json.loads(before)
        after = document(value)
        if after.count("\n") >= before.count("\n"):
            continue
        if line(json.loads(after)) != line(value):
            sys.exit(f"{name}: its values would change")
        write_whole(name, value)
        print(f"{name}: {before.count(chr(10))} lines are {after.count(chr(10))}")


if __name__ == "__main__":
    main(sys.argv[1:])
