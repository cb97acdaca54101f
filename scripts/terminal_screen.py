"""Runs a command on a terminal of a given width, and keeps what it shows: text, colours, and a picture of both.

Imported by scripts/screens, which draws pictures, and by tests/cli/widths.py, which looks for what does not fit.
"""
import html
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata
from fcntl import ioctl

ESCAPE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")
INKS = {"2": "dim", "1": "bold", "36": "accent", "32": "good", "33": "fair", "38;5;208": "poor", "31": "bad"}
# On #14181f each has a contrast of at least 5.
COLOURS = {"": "#d7dce3", "dim": "#98a2b0", "bold": "#ffffff", "accent": "#6cc7e8", "good": "#7fd08a", "fair": "#e8c95b",
           "poor": "#f0a35e", "bad": "#ff8a80"}


def shown(command, columns, environment=None, both=False, folder=None, timeout=300):
    """What the words of `command` write to a terminal of so many columns, and the exit status. With `both` the standard
    error is shown, too."""
    leader, follower = pty.openpty()
    ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    variables = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})}
    for name in ("COLUMNS", "NO_COLOR"):
        variables.pop(name, None)
    process = subprocess.Popen(command, stdout=follower, stderr=follower if both else subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=variables, cwd=folder, start_new_session=True)
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    return last_shown(text.decode("utf-8").replace("\r\n", "\n")), process.wait(timeout)


def last_shown(text):
    """Lines that were rewritten as they are in the end. "Erase to the end" (\\x1b[K) clears what stood there after a return;
    where it follows text, as compilers write it, it clears nothing."""
    return "\n".join(line.rsplit("\r", 1)[-1].replace("\x1b[K", "") for line in text.split("\n"))


def plain(text):
    return ESCAPE.sub("", text)


def columns_of(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in plain(text))


def runs(line):
    """Pieces of a line with the ink of each."""
    pieces, ink, at = [], "", 0
    for match in ESCAPE.finditer(line):
        if match.start() > at:
            pieces.append((ink, line[at:match.start()]))
        if match.group(2) == "m":
            ink = INKS.get(match.group(1), "")
        at = match.end()
    if at < len(line):
        pieces.append((ink, line[at:]))
    joined = []
    for ink, piece in pieces:
        if joined and joined[-1][0] == ink:
            joined[-1] = (ink, joined[-1][1] + piece)
        else:
            joined.append((ink, piece))
    return joined


def svg(text, columns, title):
    """A picture of the text as a terminal of so many columns shows it."""
    lines = text.rstrip("\n").split("\n")
    cell, height, margin = 8.4, 18, 14
    width, whole = columns * cell + 2 * margin, len(lines) * height + 2 * margin
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {whole}" width="{width:.0f}" '
           f'height="{whole}" role="img" aria-label="{html.escape(title)}">\n<title>{html.escape(title)}</title>\n<style>'
           f'text{{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:{COLOURS[""]};white-space:pre}}'
           + "".join(f".{name}{{fill:{colour}}}" for name, colour in COLOURS.items() if name)
           + f'.bold{{font-weight:600}}</style>\n<rect width="100%" height="100%" rx="8" fill="#14181f"/>\n']
    for row, line in enumerate(lines):
        at, spans = 0, []
        for ink, piece in runs(line):
            length = columns_of(piece)
            if piece.strip():
                lead = len(piece) - len(piece.lstrip(" "))
                body = piece.strip(" ")
                attributes = f' class="{ink}"' if ink else ""
                spans.append(f'<tspan x="{margin + (at + lead) * cell:.1f}" textLength="{columns_of(body) * cell:.1f}"'
                             f'{attributes}>{html.escape(body)}</tspan>')
            at += length
        if spans:
            out.append(f'<text y="{margin + (row + 0.75) * height:.1f}">{"".join(spans)}</text>\n')
    return "".join(out) + "</svg>\n"
