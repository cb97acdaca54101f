"""What `lanework bench` answers, for scripts that record it and make pages of it."""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile


def bench(lanework, words, seconds):
    """The document of one bench; {} where it failed or takes longer than that, which is said."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.json"
        try:
            ended = subprocess.run([lanework, "bench", *words, "--json", path], timeout=seconds, capture_output=True)
        except subprocess.TimeoutExpired:
            print(f"{' '.join(words)}: more than {seconds} s, left out", file=sys.stderr)
            return {}
        if ended.returncode or not path.exists():
            print(f"{' '.join(words)}: {ended.stderr.decode().strip().splitlines()[-1:]}", file=sys.stderr)
        return json.loads(path.read_text()) if path.exists() else {}


def median(result):
    return statistics.median(result["samples_s"])


def time(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
