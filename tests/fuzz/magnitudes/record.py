"""Keeps in a results file what scripts/fuzz-magnitudes printed of a run that ended well, in the place of the last of its kind.
Usage: record.py FILE c++|python|commands SECONDS SEED SANITIZERS, with what was printed on standard input."""
import collections
import datetime
import json
import os
import re
import subprocess
import sys

KINDS = ("c++", "python", "commands")
CALLS = re.compile(r"^(.+?) +(\d+) answered +(\d+) refused$", re.M)
STATUSES = re.compile(r"^(\S+) +(\d+ with \d+(?:, \d+ with \d+)*)$", re.M)
END = re.compile(r"^(\d+) calls, the next seed is (\d+)$", re.M)


def calls_in(printed):
    """Of each function or command: how often it answered, and how often it refused. A command refuses by a status."""
    calls = {name: {"answered": int(answered), "refused": int(refused)} for name, answered, refused in CALLS.findall(printed)}
    for command, statuses in STATUSES.findall(printed):
        count = collections.Counter()
        for number, status in re.findall(r"(\d+) with (\d+)", statuses):
            count["answered" if status == "0" else "refused"] += int(number)
        calls[command] = {"answered": count["answered"], "refused": count["refused"]}
    return calls


def main():
    path, kind, seconds, seed, sanitizers = sys.argv[1:]
    printed = sys.stdin.read()
    ended = END.search(printed)
    if not ended:
        return f"{kind}: the run has not ended well; nothing is recorded"
    calls = calls_in(printed)
    assert sum(sum(of.values()) for of in calls.values()) == int(ended[1]), "calls were printed that are not understood"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    run = {"from": kind, "sanitizers": [] if sanitizers == "none" else sanitizers.split(","), "seconds": int(seconds),
           "first_seed": int(seed), "next_seed": int(ended[2]), "calls": calls,
           "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
           "processor": processor[1].strip() if processor else "unknown", "commit": commit}
    document = {"schema": 1, "runs": []}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    document["runs"] = sorted([old for old in document["runs"] if old["from"] != kind] + [run], key=lambda r: KINDS.index(r["from"]))
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1, ensure_ascii=False)
        file.write("\n")
    os.replace(path + ".new", path)
    return 0


sys.exit(main())
