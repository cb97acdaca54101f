#!/usr/bin/env python3
"""Every command on terminals of 80, 100 and 160 columns: no line is wider, and none is broken inside a word or a column.

Usage: widths.py LANEWORK SOURCE COLUMNS    COLUMNS is 0 for no terminal: then there is no colour and nothing is broken
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[2], "scripts"))
from terminal_screen import columns_of, plain, shown  # noqa: E402
import subprocess  # noqa: E402

LANEWORK, SOURCE, COLUMNS = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), int(sys.argv[3])
QUICK = "--size 64x64 --max-time 0.01 --min-samples 3"
COMMANDS = [
    "doctor", "devices", "list", "list transpose", "list --dtype int32", "info transpose/padded_tile_16", "info transpose --why",
    "index --grid 2,2 --block 2,2", "occupancy --threads 256 --regs 40 --smem 8K --arch 90",
    "occupancy transpose/padded_tile_16 --arch 90",
    "verify transpose --device simt,cpu --size 33x31", "verify transpose/naive --device cpu --size 33x31 -v",
    f"bench transpose --device cpu {QUICK}", f"bench transpose --device cpu {QUICK} --stats",
    "bench transpose --device cpu --sweep size=16..64 --max-time 0.01 --min-samples 3",
    f"climb transpose --device simt {QUICK}", f"climb transpose --device simt {QUICK} --verbose",
    f"climb transpose --device cpu {QUICK}", f"climb transpose --device all {QUICK}",
    "explain transpose --size 64x64", "explain transpose --size 64x64 --verbose",
    "explain transpose/padded_tile_16 --size 64x64", "explain transpose/padded_tile_16 --size 64x64 --verbose",
    "explain transpose/shared_tile --compare padded_tile --size 64x64",
    "profile pipeline --timeline --device simt",
    "compare BEFORE AFTER", "neighbors ATOMS --cutoff 1.9", "compare-images PICTURE PICTURE",
    "new GUARDED --in x:float[n,m] --out y:float[n]", "explain row_sums.cu", "check row_sums.cu", "run row_sums.cu",
    # What went wrong.
    "climb transpoze", "climb transpose/foo", "verify transpose --dtype complex", "climb transpose --size 12x12x12x12",
    "verify transpose --sweep depth=1..2", "frobnicate", "compare nowhere.json BEFORE", "run nowhere.cu",
    "explain transpose/serial", "occupancy --threads 2000 --arch 90",
    # Help.
    "--help", "-V", "help image",
] + [f"help {command}" for command in
     "doctor devices list info index occupancy verify bench climb explain run check cc new judge profile compare report image "
     "compare-images neighbors particles completion help".split()]


def too_wide(text, columns):
    """Lines that a terminal would break; one that is a single word, such as a path, cannot be helped."""
    return [line for line in text.split("\n") if columns_of(line) > columns and len(plain(line).split()) > 1]


def check(words, folder, columns):
    if columns == 0:
        done = subprocess.run([LANEWORK] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300)
        text, status = done.stdout.decode("utf-8"), done.returncode
        faults = [line for line in text.split("\n") if "\x1b" in line or "\r" in line]
    else:
        text, status = shown([LANEWORK] + words, columns, both=True, folder=folder)
        faults = too_wide(text, columns)
    if status not in (0, 1, 2, 3, 6, 77):
        faults.append(f"exit status {status}")
    if not text.strip() and words[0] != "new":
        faults.append("it says nothing")
    return faults, text


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(SOURCE, "examples/tutorial/row_sums.cu"), os.path.join(folder, "row_sums.cu"))
        names = {"ATOMS": os.path.join(SOURCE, "examples/data/graphene.xyz"), "GUARDED": f"rows_{COLUMNS}",
                 "PICTURE": os.path.join(SOURCE, "examples/data/astronaut.png")}
        for name in ("BEFORE", "AFTER"):
            names[name] = os.path.join(folder, name.lower() + ".json")
            subprocess.run([LANEWORK, "bench", "transpose", "--device", "cpu", *QUICK.split(), "--json", names[name]],
                           check=True, stdout=subprocess.DEVNULL)
        for command in COMMANDS:
            words = [names.get(word, word) for word in command.split()]
            faults, text = check(words, folder, COLUMNS)
            if faults:
                failed += 1
                print(f"lanework {command}:")
                for fault in faults[:5]:
                    print("  " + plain(fault))
    if failed:
        sys.exit(f"{failed} of {len(COMMANDS)} commands do not fit {COLUMNS or 'no'} columns")


main()
