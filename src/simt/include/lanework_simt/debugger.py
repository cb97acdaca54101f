# What gdb knows of a program on the simt device: `lanework run --gdb` and `--break` load this file.
#
# The device keeps what runs in one object (src/simt/debugging.cpp) and calls a marker when a thread that a breakpoint
# asks for begins or ceases to run: only then is that breakpoint in the code, and all other threads run at full speed.
import atexit
import json
import linecache
import os
import re
import resource
import signal
import struct

import gdb
from gdb.FrameDecorator import FrameDecorator

STATE = struct.Struct("@4PPQQP3I3IPQ")
INDEX = struct.Struct("@3I")
NOBODY = 0xFFFFFFFF
FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT")
EXIT_USAGE, EXIT_UNAVAILABLE = 2, 77


class State:
    """What the device says of the thread that runs."""

    def __init__(self):
        parts = STATE.unpack(memory_at(int(gdb.parse_and_eval("(unsigned long)&lanework_debugger")), STATE.size))
        self.thread, self.block = (INDEX.unpack(memory_at(address, INDEX.size)) for address in parts[:2])
        self.mask, self.launch, self.kernel = parts[5], parts[6], text_at(parts[7])
        self.grid_size, self.block_size = parts[8:11], parts[11:14]
        self.place = "%s:%d" % (os.path.basename(text_at(parts[14])), parts[15])

    def runs(self):
        """Whether a thread of a kernel does: else the host's code."""
        return self.block[0] != NOBODY

    def launch_text(self):
        return "%s<<<%s, %s>>>" % (self.kernel, extent(self.grid_size), extent(self.block_size))


def memory_at(address, count):
    return bytes(gdb.selected_inferior().read_memory(address, count))


def text_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string() if address else ""


def answer_of(function):
    """The text that a function of the device gives."""
    function = gdb.parse_and_eval("(const char*(*)())&" + function).dereference()
    try:
        return function().string()
    except gdb.error as error:
        # gdb 13 calls nothing on a processor with AMX: it does not know as many registers as it has to restore.
        raise gdb.GdbError("gdb cannot call a function of the program here, and needs to: %s" % error)


def state_or_none():
    """None before the device's library is there."""
    try:
        return State()
    except gdb.error:
        return None


def extent(size):
    while len(size) > 1 and size[-1] == 1:
        size = size[:-1]
    return str(size[0]) if len(size) == 1 else "(%s)" % ",".join(map(str, size))


def index(values):
    return "(%d,%d,%d)" % tuple(values)


def source_of(frame):
    """The file of a frame's line; empty where that is not known."""
    symtab = frame.find_sal().symtab
    return symtab.fullname() if symtab is not None else ""


def is_own(path):
    """Whether a file is the program's: one that is there, and not the device's."""
    return "/lanework_simt/" not in path and os.path.exists(path)


def begins_threads(frame):
    """Whether the frame is the device's, below those of a kernel."""
    return source_of(frame).endswith("/lanework_simt/launch.hpp") or "::Worker::run_fiber" in (frame.name() or "")


def in_kernel(frame):
    """Whether the frames from this one on are those of a kernel's thread."""
    while frame is not None:
        if begins_threads(frame):
            return True
        frame = frame.older()
    return False


def user_frames(frames):
    """Without what begins a kernel's threads: the frames below the kernel's own."""
    kept = []
    for frame in frames:
        if begins_threads(frame.inferior_frame()):
            if kept and "operator" in str(kept[-1].inferior_frame().name()):
                kept.pop()  # the launch's own call of the kernel
            break
        kept.append(frame)
    return kept


class Named(FrameDecorator):
    """A frame whose function is shown as gdb itself does: without the types of its parameters."""

    def function(self):
        name = super().function()
        if not isinstance(name, str):
            return name
        depth = 0
        for at, c in enumerate(name):
            if c == "(" and depth == 0 and not name.startswith(("(anonymous namespace)", "()("), at):
                return name[:at] or name
            depth += {"<": 1, ">": -1}.get(c, 0)
        return name


class Frames:
    """A frame filter: `bt` ends at the kernel; `bt -no-filters` shows what is below."""

    def __init__(self):
        self.name, self.priority, self.enabled = "lanework", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return map(Named, user_frames(frames))


class Marker(gdb.Breakpoint):
    """Stops the program for a moment, unseen."""

    def __init__(self, function, seen):
        super().__init__(function, internal=True)
        self.silent, self.seen = True, seen

    def stop(self):
        self.seen()
        return False


class Break(gdb.Breakpoint):
    """A --break: its place, the threads that it is for, and how often it was reached."""

    def __init__(self, bit, wanted, place):
        super().__init__(place)
        self.silent = BATCH
        self.bit, self.text, self.function = bit, wanted["text"], wanted["function"]
        self.of_block, self.of_thread = wanted["block"], wanted["thread"]
        self.line_within = wanted["line"] if self.function else 0
        self.reached, self.over = 0, False
        if self.for_some():
            self.enabled = False

    def for_some(self):
        return self.of_block is not None or self.of_thread is not None

    def follow(self, mask):
        wanted = bool(mask >> self.bit & 1) and not self.over
        if self.for_some() and self.is_valid() and self.enabled != wanted:
            self.enabled = wanted

    def stop(self):
        if self.over or not self.within_function():
            return False
        self.reached += 1
        return True

    def within_function(self):
        """Whether FUNCTION of FUNCTION:LINE is among the callers: the line may be another function's."""
        if not self.line_within:
            return True
        frame = gdb.newest_frame()
        while frame is not None:
            if bare(frame.name()) == bare(self.function):
                return True
            frame = frame.older()
        return False

    def why_not(self):
        """Why it was never reached, as far as the launches that were seen can say."""
        launches = [each for each in LAUNCHES.values() if not self.function or bare(each.kernel) == bare(self.function)]
        if not LAUNCHES:
            return "the program launched no kernel"
        if not launches and self.function in kernels():
            seen = ", ".join(sorted({each.kernel for each in LAUNCHES.values()}))
            return "the program did not launch %s, but %s" % (self.function, seen)
        for name, wanted in (("block", self.of_block), ("thread", self.of_thread)):
            if wanted is None or not launches:
                continue
            sizes = [each.grid_size if name == "block" else each.block_size for each in launches]
            if all(any(i >= n for i, n in zip(wanted, size)) for size in sizes):
                last = index([n - 1 for n in sizes[0]])
                return "there is no %s %s: the last of %s is %s" % (name, index(wanted), launches[0].launch_text(), last)
        return "%s came there" % ("no such thread" if self.for_some() else "no thread")


BATCH = False
BREAKS, MARKERS, LAUNCHES = [], [], {}
STATUS = {"ended": False, "code": 0, "signal": 0, "shown": ""}


def say(text):
    """To the standard error, past gdb's own streams: the standard output is the program's."""
    gdb.flush()
    os.write(2, (text + "\n").encode())


def bare(name):
    """A function's name without its scope, template arguments and parameters."""
    if name is None:
        return None
    depth, text = 0, ""
    for c in name.replace("(anonymous namespace)", ""):
        if c == "<":
            depth += 1
        elif c == ">":
            depth -= 1
        elif c == "(" and depth == 0:
            break
        elif depth == 0:
            text += c
    return text.split("::")[-1].split()[-1] if text.split("::")[-1].strip() else text


def refuse(text, status=EXIT_USAGE):
    say("lanework: " + text)
    quit_with(status)


# Places

def own_files():
    """The program's files of CUDA code, as they were named to the compiler."""
    listed = gdb.execute("info sources", to_string=True)
    files = re.findall(r"[^\s,]+\.(?:cu|cuh)\b", listed)
    return sorted({name for name in files if "/lanework_simt/" not in name})


def kernels():
    """What the program's files declare with __global__."""
    names = []
    for path in own_files():
        try:
            with open(path, errors="replace") as file:
                text = re.sub(r"__launch_bounds__\s*\([^)]*\)", "", file.read())
        except OSError:
            continue
        names += re.findall(r"__global__[^;{}()]*?(\w+)\s*\(", text)
    return sorted(set(names))


def decode(place):
    try:
        return gdb.decode_line(place)[1] or ()
    except gdb.error:
        return ()


def code_lines(name, line):
    """The lines with code of the units that gdb finds by a line of a file: of none, in gdb 18, where that line has none."""
    lines = set()
    for place in decode("%s:%d" % (name, line)):
        if place.symtab is not None:
            lines |= set(place.symtab.linetable().source_lines())
    return lines


def line_count(name):
    """How many lines a file of the program has; 0 where it cannot be read."""
    count = 0
    for path in own_files():
        if path == name or path.endswith("/" + name):
            try:
                with open(path, errors="replace") as file:
                    count = max(count, sum(1 for _ in file))
            except OSError:
                pass
    return count


def line_place(name, line):
    """FILE:LINE for gdb, at the line or else the next that has code; None where the file has none at all."""
    end = max(line, line_count(name))
    behind = (n for each in range(line, end + 1) for n in sorted(code_lines(name, each)) if n >= line)
    found = next(behind, 0)
    shown = os.path.basename(name)
    if not found:
        last = next((max(lines) for lines in (code_lines(name, each) for each in range(end, 0, -1)) if lines), 0)
        if not last:
            return None
        refuse("%s has no code at line %d or behind it; the last that has is %d" % (shown, line, last))
    if found != line:
        say("lanework: %s:%d has no code; the next line that has is %d" % (shown, line, found))
    return "%s:%d" % (name, found)


def function_at(place):
    """The function that begins at a place of gdb; None where the compiler said nothing of it."""
    block = gdb.block_for_pc(place.pc)
    while block is not None and block.function is None:
        block = block.superblock
    return block and block.function


def place_of(wanted):
    name, line = wanted["function"] or wanted["file"], wanted["line"]
    if wanted["file"]:
        place = line_place(name, line)
        if place is None:
            files = ", ".join(sorted(set(map(os.path.basename, own_files())))) or "there are none"
            refuse("the program has no file %s with code; its CUDA files are: %s" % (name, files))
        return place
    places = decode(name)
    if not places:
        name = bare(name)  # a kernel of an unnamed namespace within the scope that was typed
        places = decode(name)
    # Not by the place's own file and line: gdb 18 has none for a function that begins in the line where another ends.
    function = next(filter(None, map(function_at, places)), None)
    if function is None:
        names = ", ".join(kernels()) or "there are none"
        refuse("the program has no function %s with code; its kernels are: %s" % (name, names))
    return line_place(function.symtab.filename, line) if line and line != function.line else name


# What is seen

def launch_seen():
    state = State()
    LAUNCHES[state.kernel, state.grid_size, state.block_size] = state


def thread_seen():
    mask = State().mask
    for each in BREAKS:
        each.follow(mask)


def where(frame):
    """"sum<<<4, 64>>>, block (1,0,0), thread (3,0,0)"; empty in host code."""
    state = state_or_none()
    if state is None or not state.runs() or not in_kernel(frame):
        return ""
    return "%s of %s, block %s, thread %s" % (state.launch_text(), state.place, index(state.block), index(state.thread))


def stopped(event):
    if BATCH:
        return
    text = where(gdb.newest_frame())
    if text and text != STATUS["shown"]:
        gdb.write("[%s]\n" % text)
    STATUS["shown"] = text


def ended(event):
    STATUS["ended"] = True
    STATUS["code"] = getattr(event, "exit_code", 0)
    signalled = gdb.convenience_variable("_exitsignal") if hasattr(gdb, "convenience_variable") else None
    STATUS["signal"] = int(signalled) if signalled is not None and not hasattr(event, "exit_code") else 0
    for each in BREAKS:
        if each.is_valid() and each.reached == 0:
            say("lanework: --break %s was never reached: %s" % (each.text, each.why_not()))


def loaded(event):
    """The device's library is there as soon as the program has begun."""
    if not MARKERS and "liblanework_simt" in (event.new_objfile.filename or ""):
        MARKERS.append(Marker("lanework_debugger_launch", launch_seen))
        MARKERS.append(Marker("lanework_debugger_thread", thread_seen))


# Commands

class Lanework(gdb.Command):
    """What Lanework's simt device runs: `lanework threads` shows where every thread of the resident blocks stands."""

    def __init__(self):
        super().__init__("lanework", gdb.COMMAND_STATUS, prefix=True)


class Threads(gdb.Command):
    """Where every thread of the resident blocks stands."""

    def __init__(self):
        super().__init__("lanework threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        state = state_or_none()
        if state is None or not state.runs():
            raise gdb.GdbError("no kernel runs")
        text = answer_of("lanework_debugger_threads")
        gdb.write("%s of %s\n%s" % (state.launch_text(), state.place, text))


class Where(gdb.Command):
    """The kernel, the block and the thread that run."""

    def __init__(self):
        super().__init__("lanework where", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        text = where(gdb.newest_frame())
        if not text:
            raise gdb.GdbError("no kernel runs")
        gdb.write(text + "\n")


def try_settings(*commands):
    for command in commands:
        try:
            gdb.execute(command, to_string=True)
        except gdb.error:
            pass  # a newer gdb's


def begin(settings):
    """Sets the breakpoints of the command line, and how the program is started."""
    Lanework(), Threads(), Where(), Frames()
    for i, name in enumerate(("threadIdx", "blockIdx", "blockDim", "gridDim")):
        gdb.execute("macro define %s (*((uint3**)&lanework_debugger)[%d])" % (name, i), to_string=True)
    gdb.execute("macro define warpSize 32", to_string=True)
    # `step` does not enter what stands for CUDA's own functions.
    try_settings("skip -gfile */lanework_simt/*.hpp", "set print thread-events off", "set style enabled off"
                 if BATCH else "set confirm on")
    for name, value in settings["environment"].items():
        gdb.execute("set environment %s %s" % (name, value))
    for name in settings["unset"]:
        gdb.execute("unset environment " + name)
    gdb.events.exited.connect(ended)
    gdb.events.stop.connect(stopped)
    for bit, wanted in enumerate(settings["breaks"]):
        BREAKS.append(Break(bit, wanted, place_of(wanted)))
    gdb.events.new_objfile.connect(loaded)


def leave_prompt():
    """Before `quit`, and at the end of input: gdb ends with the program's exit status where that has ended."""
    if STATUS["ended"] and gdb.selected_inferior().pid == 0:
        gdb.execute("quit %d" % (STATUS["code"] or (128 + STATUS["signal"] if STATUS["signal"] else 0)))


class Start(gdb.Command):
    """For `lanework run --gdb`: a person at the prompt."""

    def __init__(self):
        super().__init__("lanework-start", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        begin(json.loads(argument))
        gdb.execute("define hook-quit\npython leave_prompt()\nend")
        if BREAKS:
            gdb.execute("run")


class Run(gdb.Command):
    """For `lanework run --break`: nobody at the prompt; what is seen goes to the standard error."""

    def __init__(self):
        super().__init__("lanework-run", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        global BATCH
        BATCH = True
        settings = json.loads(argument)
        begin(settings)
        try_settings("handle all nostop noprint pass", "handle %s stop print pass" % " ".join(FAULTS),
                     "handle SIGINT nostop noprint pass", "set disable-randomization off")
        atexit.register(end_by_signal, signal.SIGTERM)  # gdb itself would end well
        last = []
        gdb.events.stop.connect(last.append)
        try:
            gdb.execute("run", to_string=True)
        except gdb.error as error:
            refuse("gdb cannot start the program: %s" % error, EXIT_UNAVAILABLE)
        while not STATUS["ended"]:
            report(last.pop() if last else None, settings["stops"])
            gdb.execute("continue", to_string=True)
        leave()


def report(event, most):
    if isinstance(event, gdb.BreakpointEvent):
        for each in event.breakpoints:
            if isinstance(each, Break):
                say("%s, stop %d" % (each.text, each.reached))
                if each.reached == most:
                    each.over = True
    elif isinstance(event, gdb.SignalEvent):
        say("the program stopped by %s" % event.stop_signal)
    text = where(gdb.newest_frame())
    lines = ["  " + text] if text else []
    frame = gdb.newest_frame()
    while frame.older() is not None and not is_own(source_of(frame)):
        frame = frame.older()
    frame.select()
    line = frame.find_sal().line
    if is_own(source_of(frame)):
        lines.append("  %d\t%s" % (line, linecache.getline(source_of(frame), line).rstrip()))
    for command in ("bt", "info locals"):
        try:
            lines += ["  " + line for line in gdb.execute(command, to_string=True).splitlines()]
        except gdb.error as error:
            lines.append("  " + str(error))
    say("\n".join(lines))
    if isinstance(event, gdb.BreakpointEvent):
        for each in event.breakpoints:
            if isinstance(each, Break) and each.over:
                each.enabled = False
                say("  (no more stops of %s are shown; --stops sets how many are)" % each.text)


def end_by_signal(number):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def leave():
    """Ends gdb as the program ended."""
    if STATUS["signal"]:
        end_by_signal(STATUS["signal"])
    quit_with(STATUS["code"])


def quit_with(status):
    atexit.unregister(end_by_signal)
    gdb.execute("quit %d" % status)


Start()
Run()
