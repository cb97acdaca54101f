"""Types commands with numbers, sizes and files that break programs: an answer, or one line (and a hint) on standard error with a
documented exit status. A signal, a report of a sanitizer, another status or more than the command's time ends it.
Usage: commands.py LANEWORK SECONDS [SEED]; seconds are the processor's."""
import collections
import os
import resource
import signal
import subprocess
import sys
import tempfile

from extremes import Draw

# Seconds of all processors, whatever else runs; bench measures ceilings first. And seconds.
PATIENCE, FORGOTTEN = collections.defaultdict(lambda: 20, bench=120, explain=60), 1200
SANITIZED = ("AddressSanitizer", "runtime error:", "UndefinedBehaviorSanitizer", "terminate called", "libgomp:")
OPERATIONS = ("add", "transpose", "reduce", "matmul", "gray", "blur", "sobel", "resize", "warp", "letterbox", "tensor", "nms",
              "decode", "neighbors", "histogram", "gelu", "fma", "copy", "index", "atomics", "transfer", "pipeline")


def statuses(lanework):
    """Those that the program documents: numbers in the paragraph of its help that begins with them."""
    said = subprocess.run([lanework, "--help"], capture_output=True, text=True, check=True).stdout
    said = said[said.index("Exit status") :]
    found = {int(word) for word in said.replace(",", " ").replace(";", " ").replace(":", " ").split() if word.isdigit()}
    assert {0, 1, 2, 77} <= found, f"the help names the statuses {found}"
    return found


class Commands:
    def __init__(self, folder):
        self.folder = folder
        self.commands = [getattr(self, name) for name in dir(self) if name.startswith("type_")]

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def some(self, draw, options):
        """Some of the options, each with a value drawn for it; a value that is None is left out."""
        words = []
        for name, value in options.items():
            if draw.once_in(2):
                value = value() if callable(value) else value
                words += [name] if value is None else [f"{name}={value}"] if draw.once_in(3) and name.startswith("--") else [name, value]
        return words

    def number(self, draw, right):
        return lambda: str(draw.text() if draw.once_in(4) else right())

    def list_of(self, draw, counts, right):
        return lambda: ",".join(self.number(draw, right)() for _ in range(draw.choice(counts)))

    def size(self, draw):
        """Small ones and those that no memory holds: what lies between is right, and a matter of time alone."""
        def length():
            text = draw.text() if draw.once_in(4) else str(draw.small(12))
            return "3" if text.isdecimal() and 100 < int(text) < 2**48 else text

        return lambda: "x".join(length() for _ in range(draw.choice((1, 1, 2, 3, 4, 6, 9))))

    def atoms(self, draw):
        value = lambda: repr(draw.real()) if draw.once_in(10) else draw.text() if draw.once_in(60) else repr(draw.uniform(-4, 8))
        kind, count = draw.randrange(5), draw.small(6)
        rows = [[value() for _ in range(3)] for _ in range(count)]
        if kind == 0:
            return self.file("a.txt", "".join(" ".join(row) + "\n" for row in rows))
        if kind == 1:
            told = count if not draw.once_in(8) else draw.text()
            return self.file("a.xyz", f"{told}\n\n" + "".join("Cu " + " ".join(row) + "\n" for row in rows))
        if kind == 2:
            lattice = " ".join(value() if not draw.once_in(3) else v for v in "9 0 0 0 9 0 0 0 9".split())
            return self.file("a.extxyz", f'{count}\nLattice="{lattice}" Properties=species:S:1:pos:R:3 pbc="T F T"\n' + "".join("Cu " + " ".join(row) + "\n" for row in rows))
        if kind == 3:
            edges = "".join(f"{value()} {value()} {a}lo {a}hi\n" if draw.once_in(4) else f"0 9 {a}lo {a}hi\n" for a in "xyz")
            return self.file("a.data", f"a\n\n{count} atoms\n1 atom types\n{edges}\nAtoms # atomic\n\n" + "".join(f"{k + 1} 1 " + " ".join(row) + "\n" for k, row in enumerate(rows)))
        cryst = "CRYST1" + "".join(f"{draw.choice((9.0, 0.0, 99999.999, -1.0)):9.3f}" for _ in range(3)) + "".join(f"{draw.choice((90.0, 0.0, 180.0, 60.0)):7.2f}" for _ in range(3)) + " P 1           1\n"
        return self.file("a.pdb", cryst + "".join(f"ATOM  {k + 1:5d}  CA  ALA A{k + 1:4d}    {draw.uniform(-99, 99):8.3f}{draw.uniform(-99, 99):8.3f}{draw.uniform(-99, 99):8.3f}\n" for k in range(count)))

    def picture(self, draw, name="a"):
        height, width = (draw.small(20), draw.small(20)) if draw.once_in(4) else (9, 11)
        told = [str(v) if not draw.once_in(25) else draw.text() for v in (width, height, 255)]
        color = not draw.once_in(4)
        return self.file(f"{name}.{'ppm' if color else 'pgm'}", f"P{6 if color else 5}\n{told[0]} {told[1]}\n{told[2]}\n".encode() + draw.randbytes(height * width * (3 if color else 1)))

    def type_neighbors(self, draw):
        length = lambda: round(draw.uniform(0.2, 3), 3)
        if draw.once_in(20):
            length = lambda: 10.0 ** draw.randrange(-330, 309)
        cutoff = self.number(draw, length)()
        millions = cutoff.isdecimal() and 5 < int(cutoff) < 10**9  # of pairs, which take simt long
        return ["neighbors", self.atoms(draw), "--device", "cpu" if millions else draw.choice(("cpu", "simt")), "--cutoff", cutoff,
                "--memory", draw.text() if draw.once_in(20) else "1", *self.some(draw, {
            "--half": None, "--box": self.list_of(draw, (2, 3, 3, 3, 4, 6, 9), lambda: round(draw.uniform(3, 9), 2)), "--pbc": lambda: draw.choice(("xyz", "xy", "z", "none", "q")),
            "--frame": lambda: draw.text() if draw.once_in(8) else "1", "--dtype": lambda: draw.choice(("float32", "float64")), 
            "--time": None, "--view": lambda: draw.choice("xyz"), "--plot": lambda: os.path.join(self.folder, draw.choice(("p.svg", "p.png"))),
            "-o": lambda: os.path.join(self.folder, draw.choice(("o.txt", "o.npz", "o.xyz"))), "--json": None})]

    def type_particles(self, draw):
        kind = draw.choice(("graphene", "diamond", "fcc", "cscl", "gas"))
        count, length = lambda: 1 + draw.small(5), lambda: round(draw.uniform(0.2, 5), 2)
        own = ({"--rows": self.number(draw, count), "--cols": self.number(draw, count)} if kind == "graphene"
               else {"--atoms": lambda: str(draw.choice((5, 99, 0, -1, 2**31, 2**63, 10**30))), "--density": self.number(draw, length), "--box": self.list_of(draw, (3, 3, 6, 9), lambda: 9)} if kind == "gas"
               else {"--cells": lambda: draw.choice(("2", "2,3,4", "0", "-1", "2147483648", "4294967297,1,1", "1,2", "nan"))})
        return ["particles", kind, "-o", draw.choice(("-", os.path.join(self.folder, "made.xyz"), os.path.join(self.folder, "made.data"))),
                *self.some(draw, {**own, "--lattice": self.number(draw, length), "--noise": self.number(draw, length), "--seed": self.number(draw, count),
                                  "--vacuum": self.number(draw, length), "--pbc": lambda: draw.choice(("xyz", "none", "z"))})]

    def type_image(self, draw):
        side = lambda: 1 + draw.small(30)
        of = {"gray": {"--variant": lambda: draw.choice(("mean", "max", "weighted", "x"))}, "blur": {}, "sobel": {"--variant": lambda: "magnitude"},
              "resize": {"--size": self.pair(draw), "--width": self.number(draw, side), "--height": self.number(draw, side), "--scale": self.number(draw, lambda: round(draw.uniform(0.2, 3), 2)), "--convention": lambda: draw.choice(("opencv", "float", "legacy"))},
              "letterbox": {"--size": self.pair(draw), "--pad": self.list_of(draw, (1, 3), lambda: draw.small(255)), "--fit": lambda: draw.choice(("centred", "top-left", "stretch")), "--no-scale-up": None},
              "warp": {"--size": self.pair(draw), "--affine": self.list_of(draw, (6, 6, 6, 5), lambda: round(draw.uniform(-2, 2), 2)), "--rotate": self.number(draw, lambda: 30), "--pad": self.list_of(draw, (1, 3), lambda: 9)},
              "tensor": {"--size": self.pair(draw), "--scale": self.number(draw, lambda: 0.5), "--mean": self.list_of(draw, (1, 3), lambda: 0.5), "--std": self.list_of(draw, (1, 3), lambda: 0.5), "--dtype": lambda: draw.choice(("float32", "float16")), "--swap": None}}
        operation = draw.choice((*sorted(of), "edges", "pipe"))
        if operation == "pipe":
            steps = [" ".join((step, *self.some(draw, of[step]))) for step in (draw.choice(sorted(of)) for _ in range(1 + draw.small(3)))]
            return ["image", "pipe", " | ".join(steps), self.picture(draw), "-o", os.path.join(self.folder, draw.choice(("o.npy", "o.png"))),
                    "--device", draw.choice(("cpu", "simt")), *self.some(draw, {"--beside": None, "--json": None})]
        of["edges"] = {"--beside": None, "--json": None}
        output = os.path.join(self.folder, "o.npy" if operation == "tensor" else draw.choice(("o.ppm", "o.png", "o.pgm", "o.jpg", "o.webp")))
        return ["image", operation, self.picture(draw), "-o", output, "--device", draw.choice(("cpu", "cpu", "simt")), *self.some(draw, of[operation]),
                *(["--jobs", self.number(draw, lambda: 2)()] if draw.once_in(3) else [])]

    def pair(self, draw):
        return lambda: "x".join(draw.text() if draw.once_in(4) else str(1 + draw.small(30)) for _ in range(2))

    def type_verify(self, draw):
        sized = ["--size", self.size(draw)()] if draw.once_in(3) else ["--random", draw.choice(("1", "2", "0", "-1", "1e9", "x"))] if draw.once_in(2) else ["--size", "x".join("5" for _ in range(draw.choice((1, 2, 3, 4, 6))))]
        return ["verify", draw.choice(OPERATIONS), "--device", "cpu", *sized, *self.some(draw, {
            "--seed": self.number(draw, lambda: 3), "--dtype": lambda: draw.choice(("int32", "float32", "uint8", "float64", "x")), "--schedules": self.number(draw, lambda: 1), "--schedule": self.number(draw, lambda: 1), "--json": None})]

    def type_info(self, draw):
        return ["info", draw.choice(OPERATIONS), "--device", "cpu", "--size", self.size(draw)(), *self.some(draw, {"--dtype": lambda: draw.choice(("int32", "float32", "uint8")), "--json": None, "--arch": self.number(draw, lambda: 90)})]

    def type_index(self, draw):
        return ["index", "--device", draw.choice(("cpu", "simt")), *self.some(draw, {"--grid": self.list_of(draw, (1, 2, 3, 4), lambda: 1 + draw.small(2)), "--block": self.list_of(draw, (1, 2, 3), lambda: 1 + draw.small(3)), "--json": None})]

    def type_occupancy(self, draw):
        return ["occupancy", "--threads", self.number(draw, lambda: 256)(), *self.some(draw, {
            "--regs": self.number(draw, lambda: 40), "--smem": lambda: self.number(draw, lambda: 8)() + draw.choice(("", "K", "M", "k")), "--carveout": self.number(draw, lambda: 50),
            "--arch": self.number(draw, lambda: draw.choice((75, 80, 90, "9.0", "sm_90"))), "--json": None, "--svg": lambda: os.path.join(self.folder, "c.svg")})]

    def type_compute(self, draw):
        """Arrays whose header and bytes agree, mostly, and raw numbers."""
        operation = draw.choice(("matmul", "transpose", "reduce", "add", "gelu", "histogram", "gray"))
        def array(name):
            rows, cols = draw.small(5), draw.small(5)
            shape, kind, size = self.number(draw, lambda: rows)() + ", " + self.number(draw, lambda: cols)(), *draw.choice((("|u1", 1),) if operation == "histogram" else (("<f4", 4), ("<f4", 4), ("<i4", 4), ("|u1", 1), ("<f8", 8), (">f4", 4)))
            header = f"{{'descr': '{kind}', 'fortran_order': {draw.choice(('False', 'False', 'True'))}, 'shape': ({shape}), }}".encode()
            length = len(header) if not draw.once_in(10) else draw.small(70000)
            content = b"\x93NUMPY" + bytes((draw.choice((1, 1, 1, 2, 9)), 0)) + min(length, 65535).to_bytes(2, "little") + header + bytes(rows * cols * size)
            return self.file(name, content[: draw.small(len(content))] if draw.once_in(10) else content)
        inputs = [array("a.npy")]
        if operation in ("matmul", "add") or draw.once_in(8):
            inputs += [inputs[0] if draw.once_in(2) else array("b.npy")]
        if draw.once_in(4):
            inputs = [self.file("a.raw", bytes(12))]
        return ["compute", operation, *inputs, "-o", os.path.join(self.folder, draw.choice(("out.npy", "out.raw", "a.npy"))), *self.some(draw, {
            "--dtype": lambda: draw.choice(("float32", "uint8", "int32", "x")), "--shape": lambda: draw.choice(("3", "12", "1x3", "2x6", draw.text())),
            "--variant": lambda: draw.choice({"reduce": ("min", "argmax"), "gelu": ("tanh",)}.get(operation, ("x",))), "--device": lambda: draw.choice(("cpu", "simt")),
            "--alpha": self.number(draw, lambda: 2), "--beta": self.number(draw, lambda: 3), "--bias": lambda: array("bias.npy"),
            "--activation": lambda: draw.choice(("none", "gelu", "gelu_tanh", "x"))})]

    def npy(self, draw, name, kind, size, lengths):
        """An array of zeros, or of large numbers, with a length that is not there now and then."""
        shape = ", ".join(self.number(draw, lambda length=length: length)() if draw.once_in(6) else str(length) for length in lengths)
        count = 1
        for length in lengths:
            count *= length
        header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape},), }}".encode()
        return self.file(name, b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + draw.choice((b"\0", b"\x7f", b"\xff")) * (count * size))

    def type_compute_others(self, draw):
        """Pictures of any numbers, atoms, and what makes several arrays."""
        operation = draw.choice(("letterbox", "tensor", "warp", "sobel_derivative", "neighbors", "atomics", "coordinates", "mma"))
        kind, size = draw.choice((("|u1", 1), ("<f4", 4), ("<f4", 4), ("<f8", 8), ("<i4", 4)))
        picture = draw.choice(((5, 7), (5, 7, 3), (2, 5, 7, 3), (1, 1, 1, 4), (0, 4, 3), (3, 3, 2), (9,)))
        inputs = {
            "neighbors": [(draw.small(6), draw.choice((2, 3, 3, 4))), (3, 3)][: draw.choice((1, 1, 2))],
            "atomics": [(2,), (draw.small(9),)], "coordinates": [], "mma": [(64, 32), (32, 256)]}.get(operation, [picture])
        paths = [self.npy(draw, f"{place}.npy", kind, size, lengths) for place, lengths in enumerate(inputs)]
        number = lambda: draw.text() if draw.once_in(12) else str(draw.small(9))
        axes, takes = {
            "letterbox": (2, ("--size", "--pad", "--fit")), "tensor": (2, ("--size", "--pad", "--fit", "--swap", "--scale", "--mean", "--std", "--to")),
            "warp": (2, ("--pad", draw.choice(("--rotate", "--affine")))), "sobel_derivative": (1, ("--axis",)), "neighbors": (1, ("--cutoff",)), "atomics": (1, ("--size", "--variant")),
            "coordinates": (6, ("--size",)), "mma": (2, ("--size",))}[operation]
        options = {
            "--size": lambda: "x".join(number() for _ in range(draw.choice((1, 3)) if draw.once_in(9) else axes)), "--pad": number, "--rotate": number, "--affine": self.list_of(draw, (6, 6, 5), lambda: 1),
            "--fit": lambda: draw.choice(("centred", "top-left", "stretch", "x")), "--swap": None, "--scale": number, "--mean": number, "--std": number, "--axis": lambda: draw.choice("xyz"),
            "--to": lambda: draw.choice(("float16", "float32", "int8")), "--cutoff": number, "--variant": lambda: draw.choice(("add", "cas", "float")), "--device": lambda: draw.choice(("cpu", "simt"))}
        return ["compute", operation, *paths, "-o", os.path.join(self.folder, draw.choice(("out.npz", "out.npz", "out.npy", "out.txt", "out.png"))),
                *[word for name in dict.fromkeys((takes[0], takes[-1])) for word in ([name] if options[name] is None else [name, options[name]()])],
                *self.some(draw, {name: value for name, value in options.items() if name in (*takes[1:-1], "--device") or draw.once_in(30)})]

    def type_compare_images(self, draw):
        return ["compare-images", self.picture(draw), self.picture(draw, "b" if draw.once_in(2) else "a"), *self.some(draw, {"--max-difference": self.number(draw, lambda: 3), "--json": None})]

    def type_compare(self, draw):
        def number():
            if draw.once_in(20):
                return draw.choice(("null", "NaN", "1e999", "-1", "1.5", "18446744073709551616", '"1"'))
            return repr(abs(draw.uniform(0, 1) if draw.once_in(2) else draw.choice((5e-324, 1e-310, 1.7e308, 0.0, 1e-9, 1e30))))
        whole = lambda: draw.choice(("0", "1", "64", "9223372036854775807", "4294967297", "18446744073709551615", number()))
        def results(name):
            return self.file(name, '{"schema":%s,"environment":{},"results":[{"operation":"add","rung":"serial","device":"cpu","dtype":"int32","problem":{"n":%s},"verdict":"ok","reason":"","samples_s":[%s],"work":{"bytes":%s,"flops":0},"limit":null,"library":false}]}' % (
                "1" if not draw.once_in(20) else number(), whole(), ",".join(number() for _ in range(draw.small(5))), whole()))
        return ["compare", results("before.json"), results("after.json"), *self.some(draw, {"--threshold": lambda: draw.text() + draw.choice(("", "%")), "--json": None})]

    def type_bench(self, draw):
        return ["bench", draw.choice(("add/serial", "transpose/serial", "copy/serial")), "--device", "cpu", "--size", draw.choice(("8", "8x8", "0", self.size(draw)())),
                "--max-time", draw.choice(("0.01", "0", "-1", "nan", "1e-300", "x")), "--min-samples", draw.choice(("1", "2", "0", "-1", "x", "1e9")), *self.some(draw, {"--seed": self.number(draw, lambda: 1), "--json": None})]

    def type_explain(self, draw):
        return ["explain", draw.choice(("add/coalesced", "transpose/padded_tile", "reduce/atomic_finish", "nothing/here")), "--size", self.size(draw)() if draw.once_in(3) else draw.choice(("64", "16x16")),
                *self.some(draw, {"--schedule": self.number(draw, lambda: 1), "--schedules": lambda: draw.choice(("0", "1", "-1", "x", "nan")), "--seed": self.number(draw, lambda: 1), "--gpu": lambda: draw.choice(("a100", "h200", "9", "x"))})]


def judge(lanework, documented, words):
    """What is wrong with a call, or None, and its status."""
    patience = PATIENCE[words[0]]
    try:
        run = subprocess.run([lanework, *words], capture_output=True, timeout=FORGOTTEN, stdin=subprocess.DEVNULL, check=False,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 1)))
    except subprocess.TimeoutExpired:
        return f"it has waited for {FORGOTTEN} seconds", None
    if run.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"it takes more than {patience} seconds", None
    said = run.stderr.decode(errors="replace")
    if any(words in said for words in SANITIZED):
        return f"a report:\n{said}", run.returncode
    if run.returncode not in documented or (words[0] == "verify" and run.returncode == 1):
        return f"status {run.returncode}\n{said}", run.returncode
    if run.returncode == 2 and not 1 <= said.count("\n") <= 2:
        return f"not one line, with a hint at most:\n{said}", run.returncode
    return None, run.returncode


def processor_seconds():
    """Of the commands that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def main():
    lanework, seconds, seed = os.path.abspath(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    documented = statuses(lanework)
    end = processor_seconds() + seconds
    ended = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        commands = Commands(folder)
        while processor_seconds() < end:
            draw = Draw(seed)
            words = [str(word).replace("\0", "") for word in draw.choice(commands.commands)(draw)]
            wrong, status = judge(lanework, documented, words)
            if wrong:
                kept = tempfile.mkdtemp(prefix="lanework-fuzz-")
                for name in os.listdir(folder):
                    os.path.isfile(os.path.join(folder, name)) and os.rename(os.path.join(folder, name), os.path.join(kept, name))
                print(f"seed {seed}: lanework {' '.join(map(repr, words))}\nfiles are in {kept}\n{wrong}", file=sys.stderr)
                return 1
            ended[words[0]][status] += 1
            seed += 1
    for command, counts in sorted(ended.items()):
        print(f"{command:16} " + ", ".join(f"{count} with {status}" for status, count in sorted(counts.items())))
    print(f"{sum(sum(counts.values()) for counts in ended.values())} calls, the next seed is {seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
