#!/usr/bin/env python3
"""Every command on terminals of 80, 100 and 160 columns: no line is wider, and none is broken inside a word or a column.

Usage: widths.py LANEWORK SOURCE COLUMNS    COLUMNS is 0 for no terminal: then there is no colour and nothing is broken
"""
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[2], "scripts"))
from terminal_screen import columns_of, plain, shown  # noqa: E402
import subprocess  # noqa: E402

LANEWORK, SOURCE, COLUMNS = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), int(sys.argv[3])
# A table of a few rungs is laid out as one of twenty.
TILES = "transpose/coalesced_read transpose/shared_tile transpose/padded_tile_16"
QUICK = "--size 64x64 --max-time 0.01 --min-samples 3"
COMMANDS = [
    "doctor", "devices", "list", "list transpose", "list --dtype int32", "info transpose/padded_tile_16", "info transpose --why",
    "index --grid 2,2 --block 2,2", "occupancy --threads 256 --regs 40 --smem 8K --arch 90",
    "occupancy transpose/padded_tile_16 --arch 90",
    "verify transpose --device simt,cpu --size 33x31", "verify transpose/naive --device cpu --size 33x31 -v",
    f"bench transpose --device cpu {QUICK}", f"bench transpose --device cpu {QUICK} --stats",
    "bench transpose/serial --device cpu --sweep size=16..64 --max-time 0.01 --min-samples 3",
    f"climb TILES --device simt {QUICK}", f"climb TILES --device simt {QUICK} --verbose",
    f"climb transpose --device cpu {QUICK}", f"climb TILES transpose/serial --device all {QUICK}",
    "explain transpose --size 64x64", "explain transpose --size 64x64 --verbose",
    "explain transpose/padded_tile_16 --size 64x64", "explain transpose/padded_tile_16 --size 64x64 --verbose",
    "explain transpose/shared_tile --compare padded_tile --size 64x64",
    "profile pipeline --timeline --device simt",
    "compare BEFORE AFTER", "neighbors ATOMS --cutoff 1.9", "neighbors ATOMS --cutoff 1.9 -o n.txt --plot bonds.svg",
    "particles diamond -o d.xyz", "particles graphene -o g.xyz", "compare-images PICTURE PICTURE",
    "image sobel PICTURE -o edges.png", "image edges PICTURE -o all.png --beside", "image letterbox PICTURE -o l.png --size 320x320",
    "compute add x.raw x.raw --dtype float32 --shape 4 --shape 4 -o y.npy", "compute transpose y.npy -o z.npy",
    "new GUARDED --in x:float[n,m] --out y:float[n]", "verify LADDER", "climb LADDER", "explain LADDER",
    "explain LADDER/naive", "judge LADDER WRONG", "judge LADDER LADDER/naive.cu",
    "explain row_sums.cu", "explain row_sums.cu --verbose", "check row_sums.cu", "check row_sums.cu --schedules 1",
    "run row_sums.cu", "cc row_sums.cu -o app", "check ./app",
    "report row_sums.cu -o r.html", "report BEFORE transpose/naive --size 64x64 -o r.html", "report BEFORE -o r.html --md r.md",
    "report BEFORE --md", "report BEFORE --before AFTER -o r.html",
    "info transpose", "info reduce", "info transpose --size 100x100 --why", "list --names", "devices -d simt,cpu",
    # What went wrong.
    "climb transpoze", "climb transpose/foo", "verify transpose --dtype complex", "climb transpose --size 12x12x12x12",
    "verify transpose --sweep depth=1..2", "frobnicate", "compare nowhere.json BEFORE", "run nowhere.cu",
    "explain transpose/serial", "occupancy --threads 2000 --arch 90", "info nothing", "info transpose/padded_tile --ptx",
    "check broken.cu", "run broken.cu", "explain broken.cu", "cc broken.cu -o app", "cc --no-such-option row_sums.cu",
    "check ./nowhere", "report", "report BEFORE", "report nowhere.json -o r.html", "report BEFORE --device tpu -o r.html",
    "report transpose --device cuda:63 -o r.html", "image sobel nowhere.png -o x.png", "image sobel PICTURE",
    "image frobnicate PICTURE -o x.png", "image sobel broken.cu -o x.png", "neighbors nowhere.xyz --cutoff 2",
    "neighbors broken.cu --cutoff 2", "neighbors ATOMS", "particles unobtainium -o x.xyz", "compute add x.raw -o y.npy",
    "compute add nowhere.npy nowhere.npy -o y.npy", "compute matmul y.npy y.npy y.npy -o z.npy", "compute frob x.raw -o y.npy",
    "judge nowhere x.cu", "judge LADDER broken.cu", "verify ./nowhere", "profile transpose/coalesced_read", "profile nothing",
    "bench transpose --size 0x-1", "explain transpose/naive --compare", "doctor now", "list nothing", "particles",
    # Help.
    "--help", "-V", "help image",
] + [f"help {command}" for command in
     "doctor devices list info index occupancy verify bench climb explain run check cc new judge profile compare report compute image "
     "compare-images neighbors particles completion help".split()]


def too_wide(text, columns):
    """Lines that a terminal would break; one that is a single word, such as a path, cannot be helped."""
    return [line for line in text.split("\n") if columns_of(line) > columns and len(plain(line).split()) > 1]


# Data, code and a compiler's messages, whose lines are what they are; a compiler that has nothing to say.
AS_IT_IS = {"report BEFORE --md", "info transpose/padded_tile --ptx", "check broken.cu", "run broken.cu", "explain broken.cu",
            "cc broken.cu -o app"}
SILENT = {"new", "cc"}


def check(words, folder, columns, as_it_is):
    if columns == 0:
        done = subprocess.run([LANEWORK] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300)
        text, status = done.stdout.decode("utf-8"), done.returncode
        faults = [line for line in text.split("\n") if "\x1b" in line or "\r" in line]
    else:
        text, status = shown([LANEWORK] + words, columns, both=True, folder=folder)
        faults = [] if as_it_is else too_wide(text, columns)
    if status not in (0, 1, 2, 3, 5, 6, 77):
        faults.append(f"exit status {status}")
    if not text.strip() and words[0] not in SILENT:
        faults.append("it says nothing")
    return faults, text


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("broken.cu", "__global__ void k(int* x) { *x = nothing; }\nint main() { k<<<1, 1>>>(nullptr); }\n"),
                           ("x.raw", "0123456789abcdef")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        shutil.copytree(os.path.join(SOURCE, "examples/ladders/saxpy"), os.path.join(folder, "saxpy"))
        shutil.copytree(os.path.join(SOURCE, "examples/ladders/saxpy/wrong"), os.path.join(folder, "wrong"))
        os.symlink(os.path.join(SOURCE, "examples/tutorial/row_sums.cu"), os.path.join(folder, "row_sums.cu"))
        names = {"ATOMS": os.path.join(SOURCE, "examples/data/graphene.xyz"), "GUARDED": f"rows_{COLUMNS}",
                 "PICTURE": os.path.join(SOURCE, "examples/data/astronaut.png")}
        for name in ("BEFORE", "AFTER"):
            names[name] = os.path.join(folder, name.lower() + ".json")
            subprocess.run([LANEWORK, "bench", "transpose", "--device", "cpu", *QUICK.split(), "--json", names[name]],
                           check=True, stdout=subprocess.DEVNULL)
        wrong = os.path.join("wrong", sorted(name for name in os.listdir(os.path.join(folder, "wrong")) if name.endswith(".cu"))[0])
        for command in COMMANDS:
            words = [names.get(word, word).replace("LADDER", "./saxpy").replace("WRONG", wrong)
                     for word in command.replace("TILES", TILES).split()]
            faults, text = check(words, folder, COLUMNS, command in AS_IT_IS)
            if faults:
                failed += 1
                print(f"lanework {command}:")
                for fault in faults[:5]:
                    print("  " + plain(fault))
    if failed:
        sys.exit(f"{failed} of {len(COMMANDS)} commands do not fit {COLUMNS or 'no'} columns")


main()
