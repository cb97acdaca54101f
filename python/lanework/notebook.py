"""CUDA programs in the cells of a notebook, with no GPU: `%load_ext lanework`, then `%%cuda`."""
import base64
import html
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

COMPILATION_FAILED, UNAVAILABLE = 3, 77  # of docs/command-line.md
COLOURS = {"error": "#cf222e", "warning": "#bc4c00", "note": "#0969da"}
KINDS = {"banks": "Banks of shared memory", "sectors": "Sectors of global memory", "occupancy": "Occupancy", "roofline": "Roofline"}


def find_program():
    """The `lanework` program: what LANEWORK names, else the one on PATH, else that of this package's build or prefix."""
    here = os.path.dirname(os.path.abspath(__file__))
    candidates = [os.environ.get("LANEWORK"), shutil.which("lanework"), os.path.join(here, "../../lanework"),
                  os.path.join(here, "../../../../bin/lanework")]
    for path in filter(None, candidates):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.realpath(path)
    raise UsageError("%%cuda: there is no `lanework` on PATH; LANEWORK may name the program")


def format_estimate(estimate):
    """"about 8.1 µs (4.1 to 16 µs)", as the terminal has it."""
    unit, size = next((each for each in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)) if estimate["time_s"] >= each[1]), ("ns", 1e-9))

    def digits(seconds):
        rounded = float(f"{seconds / size:.1e}")
        return f"{rounded:.0f}" if rounded >= 10 else f"{rounded:.1f}" if rounded >= 1 else f"{rounded:.2f}"

    text = f'about {digits(estimate["time_s"])} {unit} ({digits(estimate["low_s"])} to {digits(estimate["high_s"])} {unit})'
    if estimate.get("limit_s"):
        share = min(1, estimate["limit_s"] / estimate["time_s"])
        text += f", {100 * share:.0f}% of the limit"
    return text


class Explained:
    """What a cell's kernels do on a GPU: findings and pictures for a notebook, text for a terminal."""

    def __init__(self, text, results, pictures):
        self.text, self.results, self.pictures = text, results, pictures

    def __repr__(self):
        return self.text

    @property
    def findings(self):
        """The findings as `explain --json` writes them, errors first."""
        return [finding for result in self.results for finding in result["findings"]]

    def _repr_html_(self):
        escape = lambda value: html.escape(str(value))
        parts = []
        for finding in self.findings:
            place = finding["place"]
            where = f", line {place['line']}" if place else ""
            if finding.get("gain"):
                where += f", saves {100 * finding['gain']:.0f}%"
                if any(other.get("gain_of") == "streams" for other in self.findings):
                    where += " of all work" if finding["gain_of"] == "streams" else " of the kernels' time"
            colour = COLOURS.get(finding["severity"], COLOURS["note"])
            parts.append(f'<div style="border-left:4px solid {colour};padding:2px 10px;margin:6px 0"><b>'
                         f'{escape(finding["rule"].replace("_", " "))}</b> ({escape(finding["severity"])}{where}): '
                         f'{escape(finding["evidence"])}<br><span style="opacity:.75">{escape(finding["remedy"])}</span></div>')
        estimates = [result["estimate"] for result in self.results if result.get("estimate")]
        parts = parts or ["<div>No findings.</div>"]
        for estimate in estimates:
            size = f', {escape(estimate["size"])}' if estimate.get("size") else ""
            parts.append(f'<div>Estimate for {escape(estimate["gpu"])}{size}: {format_estimate(estimate)}, '
                         f'bound by {escape(estimate["bound"])}.</div>')
        images = []
        for name, svg in self.pictures:
            title = next((words for kind, words in KINDS.items() if f"-{kind}" in name), name)
            data = base64.b64encode(svg.encode()).decode()
            images.append(f'<figure style="display:inline-block;margin:6px"><figcaption>{escape(title)}</figcaption>'
                          f'<img alt="{escape(title)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}"></figure>')
        if images:
            count = f"{len(images)} picture{'s' if len(images) > 1 else ''}"
            parts.append(f"<details open><summary>{count}</summary>{''.join(images)}</details>")
        parts.append(f"<details><summary>Source with counters</summary><pre>{escape(self.text)}</pre></details>")
        return "".join(parts)


@magics_class
class CudaMagics(Magics):
    """`%%cuda [options] [-- arguments]` runs the cell as a CUDA program. Options are nvcc's and those of `lanework explain`."""

    @cell_magic
    def cuda(self, line, cell):
        """Builds and runs the cell without a GPU; shows what it prints, and what its kernels would do on one."""
        program = find_program()
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise UsageError(f"%%cuda: {error}") from None
        with tempfile.TemporaryDirectory(prefix="lanework-cell-") as folder:
            path = lambda name: os.path.join(folder, name)
            with open(path("cell.cu"), "w", encoding="utf-8") as file:
                file.write(cell)
            end = words.index("--") if "--" in words else len(words)
            # It runs where the notebook does, and finds what lies there.
            command = [program, "explain", path("cell.cu"), "-I.", f"--json={path('explained.json')}", f"--report={path('explained.txt')}",
                       f"--pictures={path('pictures')}", *words[:end], *words[end:]]
            run = subprocess.run(command, capture_output=True, text=True, errors="replace")
            return self._show(run, path)

    def _show(self, run, path):
        named = lambda text: text.replace(path(""), "")  # "cell.cu", wherever it lies
        print(run.stdout, end="")
        if run.stderr:
            print(named(run.stderr), end="", file=sys.stderr)
        if run.returncode == COMPILATION_FAILED:
            raise UsageError("%%cuda: the cell does not compile")
        if not os.path.exists(path("explained.json")):
            if run.returncode not in (0, UNAVAILABLE):
                raise UsageError(f"%%cuda: the program ended with status {run.returncode}")
            return None
        with open(path("explained.json"), encoding="utf-8") as file:
            results = json.loads(named(file.read()))["results"]
        with open(path("explained.txt"), encoding="utf-8") as file:
            text = named(file.read())
        pictures = []
        # What findings show comes first.
        order = lambda name: (0 if "-banks" in name or "-sectors" in name else 1, name)
        for name in sorted(os.listdir(path("pictures")), key=order) if os.path.isdir(path("pictures")) else []:
            with open(path(os.path.join("pictures", name)), encoding="utf-8") as file:
                pictures.append((name, file.read()))
        explained = Explained(text, results, pictures)
        display(explained)
        self.shell.user_ns["explained"] = explained
        if run.returncode > 1:
            raise UsageError(f"%%cuda: the program ended with status {run.returncode}")
        return None
