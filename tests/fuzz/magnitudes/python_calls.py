"""Calls every function of the package lanework with arguments that break programs: an answer, TypeError, ValueError or
MemoryError with one line. A crash, another exception or a call that takes the processor a hundred seconds ends it, and the call is
shown: without sanitizers, which bound memory, gigabytes that a picture's size asks for take ten.
Usage: PYTHONPATH=BUILD/python python_calls.py SECONDS [SEED]; seconds are the processor's. PRELOAD names the libraries of
sanitizers, if it needs them. Where it and LANEWORK_LIBRARY are liblanework_c_simt.so, what is answered for arrays is asked for tensors on
a GPU, too, again and again: the answers must be the same, and all but the first are of a call that was made before, for the same arrays,
for others that lie alike, and into arrays that are given. What PyTorch's tensors may be besides (a negative, of another GPU) is refused."""
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from extremes import Draw

PATIENCE, FORGOTTEN = 100, 600  # seconds of the processor, whatever else runs; seconds
ALLOWED = (TypeError, ValueError, MemoryError)


def child(seconds, seed, path):
    """Calls for so long; writes what runs into a file, which outlives a crash."""
    import lanework
    import numpy as np

    np.seterr(all="ignore")
    calls = Calls(lanework, np)
    on_gpu = OnAGpu(np) if hasattr(lanework.library.library, "lanework_test_memory") else None
    told = os.open(path, os.O_WRONLY)
    answered, refused = collections.Counter(), collections.Counter()
    end = time.process_time() + seconds
    while time.process_time() < end:
        draw = Draw(seed)
        name, function, arguments, check = calls.draw(draw)
        text = f"seed {seed}: {name}({', '.join(f'{key}={shown(value)}' for key, value in arguments.items())})\n"
        os.pwrite(told, text.encode(errors="replace").ljust(4000)[:4000], 0)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        signal.alarm(FORGOTTEN)
        try:
            result = function(**arguments)
            check(result, arguments)
            answered[name] += 1
            if on_gpu:
                on_gpu.refuses_odd_tensors(draw, function, arguments)
                for what in on_gpu.answers(draw, result, function, arguments, name, check):
                    answered[f"{name} {what}"] += 1
        except ALLOWED as error:
            if "\n" in str(error) or not str(error):
                raise AssertionError(f"the message is not one line: {error!r}") from error
            refused[name] += 1
            if on_gpu and "stream" not in arguments:  # a number is a stream, and of another's nobody can know
                on_gpu.answers_or_refuses(function, arguments)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        seed += 1
    for name in sorted(set(answered) | set(refused)):
        print(f"{name:24} {answered[name]:9} answered {refused[name]:9} refused")
        if not answered[name]:
            raise AssertionError(f"{name} has never answered: it tests nothing")
    print(f"{sum((answered + refused).values())} calls, the next seed is {seed}")


class OnAGpu:
    """Calls that were answered for arrays, made again for tensors of a stand-in of PyTorch's."""

    EXACT = {"add", "blur", "gray", "histogram", "letterbox", "neighbor_list", "resize", "sobel", "sobel_derivative", "tensor", "transpose", "warp"}
    MOST = 1 << 16  # bytes: the kernels run on the processor

    def __init__(self, np):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
        import stand_in_torch

        self.np, self.torch = np, stand_in_torch

    SMALL = ("cell", "to_source", "sizes", "matrix")  # what may stay in the processor's memory

    def moved(self, value, tensor=None):
        np = self.np
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return (tensor or self.torch.Tensor)(self.torch.on_gpu(value))
        return type(value)([self.moved(one, tensor) for one in value]) if type(value) in (list, tuple) else value

    def all_moved(self, arguments, staying=()):
        return {key: value if key in staying else self.moved(value) for key, value in arguments.items()}

    def refuses_odd_tensors(self, draw, function, arguments):
        """Tensors of which some are none that is computed: in one line; of another GPU there may be none."""
        odd = lambda array: self.torch.Tensor(array, **(draw.choice(({"negated": True}, {"requires_grad": True}, {"index": 1})) if draw.once_in(2) else {}))
        if self.bytes_of(list(arguments.values())) > self.MOST or not draw.once_in(8):
            return
        with self.torch.torch():
            for _ in range(2):
                try:
                    function(**{key: self.moved(value, odd) for key, value in arguments.items()})
                except (*ALLOWED, RuntimeError) as error:
                    if "\n" in str(error) or not str(error):
                        raise AssertionError(f"the message is not one line: {error!r}") from error

    def bytes_of(self, value):
        if isinstance(value, (list, tuple)):
            return sum(map(self.bytes_of, value))
        return self.np.asarray(value).nbytes if hasattr(value, "shape") else 0

    def answers_or_refuses(self, function, arguments):
        """What is refused for arrays, for tensors too: in one line, if not answered."""
        with self.torch.torch():
            try:
                function(**{key: self.moved(value) for key, value in arguments.items()})
            except ALLOWED as error:
                if "\n" in str(error) or not str(error):
                    raise AssertionError(f"the message is not one line: {error!r}") from error

    def flat(self, result):
        if isinstance(result, (list, tuple)):
            return [one for each in result for one in self.flat(each)]
        return [self.np.array(getattr(result, "array", result))]

    def answers(self, draw, result, function, arguments, name, check):
        """In which ways a GPU has answered, too."""
        if name == "SkinnedNeighbors":
            return ["on a GPU"] if self.holds_of_skin(function, arguments, check) else []
        staying = [key for key in self.SMALL if key in arguments and draw.once_in(2)] if name != "letterbox" and name != "tensor" else []
        first = self.holds(result, function, arguments, name, staying)
        if first is None:
            return []
        ways = ["on a GPU"]
        if self.holds_of_others(function, arguments, name, staying):
            ways.append("of other arrays")
        if self.holds_of_given(first, function, arguments, name, staying):
            ways.append("into given arrays")
        return ways

    def holds_of_others(self, function, arguments, name, staying):
        """The same call for arrays with other contents: what the processor answers for those, or refuses."""
        np = self.np
        turned = lambda value: value[::-1].copy() if isinstance(value, np.ndarray) and value.size > 1 and value.ndim and value.flags.c_contiguous else value
        others = {key: value if key in staying else turned(value) for key, value in arguments.items()}
        try:
            right = self.flat(function(**others))
        except ALLOWED:
            return False
        with self.torch.torch():
            try:
                found = self.flat(function(**self.all_moved(others, staying)))
            except ALLOWED as error:
                raise AssertionError(f"answered for other arrays, and then: {error!r}") from error
        if self.says_wrong(name, others, found):
            return False
        self.same(found, right, name)
        return True

    @staticmethod
    def says_wrong(name, arguments, found):
        """Whether a list of a stated length refuses the atoms or the box, in its status."""
        return name == "neighbor_list" and arguments.get("capacity") is not None and (found[-1][2:] >= 0).any()

    def same(self, found, right, name):
        for a, b in zip(found, right, strict=True):
            assert a.shape == b.shape, "another shape on a GPU"
            assert name not in self.EXACT or np_same(self.np, a, b), "another answer on a GPU"

    def holds_of_given(self, first, function, arguments, name, staying):
        """The same call into arrays that are given, twice: they come back, with the same answer."""
        if "out" in arguments or name == "nms":  # whose arrays end behind the last box
            return False
        if name == "neighbor_list" and arguments.get("capacity") is None:
            return False
        whole = first[0] if name in ("letterbox", "tensor") else first
        if not all(isinstance(one, self.torch.Tensor) for one in self.tensors(whole)):  # nothing lay on the GPU
            return False
        with self.torch.torch():
            for _ in range(2):
                out = self.moved(self.cleared(whole))
                found = function(**self.all_moved(arguments, staying), out=out)
                found = found[0] if name in ("letterbox", "tensor") else found
                assert all(a is b for a, b in zip(self.tensors(found), self.tensors(out), strict=True)), "others than were given"
                for a, b in zip(self.flat(found), self.flat(whole), strict=True):
                    assert np_same(self.np, a, b), "another answer into given arrays"
        return True

    def cleared(self, result):
        return type(result)(map(self.cleared, result)) if isinstance(result, (list, tuple)) else self.np.full_like(result.array, 7)

    def tensors(self, result):
        return [one for each in result for one in self.tensors(each)] if isinstance(result, (list, tuple)) else [result]

    def holds_of_skin(self, function, arguments, check):
        """Whether a list with a skin answers for atoms on a GPU, too, and as it must."""
        with self.torch.torch():
            try:
                check(function(**arguments), arguments, self.moved)
            except ALLOWED as error:
                if "\n" in str(error) or not str(error):
                    raise AssertionError(f"the message is not one line: {error!r}") from error
                return False
        return True

    def holds(self, result, function, arguments, name, staying):
        """What a GPU answers, if it does. What it cannot take it refuses: an array whose rows lie apart, two memories."""
        if self.bytes_of(result) + self.bytes_of(list(arguments.values())) > self.MOST:
            return None
        answers, first = [], None
        with self.torch.torch():
            for _ in range(2):
                try:
                    found = function(**self.all_moved(arguments, staying))
                    first = found if first is None else first
                    answers.append(self.flat(found))
                except ALLOWED as error:
                    if "\n" in str(error) or not str(error):
                        raise AssertionError(f"the message is not one line: {error!r}") from error
                    assert not answers, f"answered at first, and then: {error!r}"
                    return None
        for a, b in zip(*answers, strict=True):
            assert np_same(self.np, a, b), "the same call gives something else"
        if self.says_wrong(name, arguments, answers[0]):
            return None
        self.same(answers[0], self.flat(result), name)
        return first


def np_same(np, a, b):
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")


def shown(value):
    text = f"array {value.shape} {value.dtype} {value.strides}" if hasattr(value, "strides") else repr(value)
    return text if len(text) < 300 else text[:300] + "…"


class Calls:
    def __init__(self, lanework, np):
        self.lanework, self.np = lanework, np
        self.names = [name for name in lanework.__all__ if name != "__version__"]
        self.operations = {operation.name: operation for operation in lanework.images.OPERATIONS}
        missing = [name for name in self.names if name not in self.operations and not hasattr(self, f"draw_{name}")]
        assert not missing, f"functions that are not called: {missing}"

    def draw(self, draw):
        """A function, arguments of it of which a few are wild, and what its answer must be."""
        name = draw.choice(self.names)
        operation = self.operations.get(name)
        arguments, check = self.draw_operation(draw, operation) if operation else getattr(self, f"draw_{name}")(draw)
        for key in list(arguments):
            if draw.once_in(3 * len(arguments)):
                arguments[key] = self.wild(draw, arguments[key])
        if name == "neighbor_list" and not self.bounded(arguments["memory_limit"]):
            # In a small cell 10^10 pairs are right, and take minutes: without a limit, only space that is open.
            arguments |= {"positions": self.np.zeros((draw.small(8), 3)), "cell": None, "pbc": False}
        if name == "SkinnedNeighbors" and not self.bounded(arguments["memory_limit"]):
            arguments["memory_limit"] = 1 << 22
        if draw.once_in(40):
            arguments["stream"] = self.wild(draw, 1)
        if draw.once_in(8):
            # A thousand threads are right, and slow to start: seldom.
            arguments["threads"] = (1024 if draw.once_in(100) else draw.choice((0, 1, 3, 7))) if draw.once_in(2) else self.wild(draw, 1)
        return name, getattr(self.lanework, name), arguments, check

    @staticmethod
    def bounded(limit):
        """Whether a memory limit is refused, or small; 0 is what is free."""
        try:
            return int(limit) < 0 or 0 < int(limit) <= 1 << 26
        except (TypeError, ValueError, OverflowError):
            return True

    def wild(self, draw, right):
        np = self.np
        if isinstance(right, np.ndarray) and right.size and draw.once_in(2):
            changed = right.astype(draw.choice(("u1", "i4", "i8", "f2", "f4", "f8", "c8", "?", "O", "U3")) if draw.once_in(4) else right.dtype)
            changed = changed[..., ::-1] if draw.once_in(3) else changed[::2] if draw.once_in(3) else changed
            if draw.once_in(3):
                changed = np.broadcast_to(changed[:1], changed.shape)  # rows that are one row
            return changed.reshape(-1) if draw.once_in(8) else np.asfortranarray(changed) if draw.once_in(4) else changed
        return draw.choice((
            lambda: None, draw.real, draw.whole, draw.text, lambda: True, lambda: np.float32(draw.real()),
            lambda: np.int64(draw.getrandbits(63)), lambda: (draw.whole(), draw.whole()), lambda: [draw.real() for _ in range(draw.small(5))],
            lambda: np.array([[draw.real() for _ in range(3)] for _ in range(draw.small(4))]), lambda: object(), lambda: {},
            lambda: np.empty((0, 3)), lambda: np.empty((3, 0, 3), np.uint8), lambda: [[1], [1, 2]], lambda: 1j, lambda: b"xyz",
            lambda: np.zeros((draw.small(3),) * draw.small(5), draw.choice(("u1", "f4", "f8"))), lambda: np.datetime64("now"),
        ))()

    def image(self, draw, channels=None):
        np = self.np
        shape = (draw.small(30), draw.small(30)) + (((channels or draw.choice((1, 3, 4))),) if channels != 0 else ())
        if draw.once_in(2):
            return np.frombuffer(draw.randbytes(int(np.prod(shape))), np.uint8).reshape(shape)
        values = np.array([draw.real() if draw.once_in(4) else draw.random() for _ in range(64)])
        with np.errstate(over="ignore"):
            return np.resize(values, shape).astype(np.float32)

    def size(self, draw):
        return (draw.small(25), draw.small(25))

    def of_shape(self, shape_of):
        def check(result, arguments):
            assert result.shape == shape_of(arguments), (result.shape, shape_of(arguments))
        return check

    def images(self, draw):
        if draw.once_in(2):
            return self.image(draw)
        channels = draw.choice((1, 3, 4))
        images = [self.image(draw, channels) for _ in range(1 + draw.small(2))]
        return [image.astype(images[0].dtype) for image in images] if images[0].dtype != self.np.uint8 else [
            self.np.zeros(image.shape, self.np.uint8) for image in images]

    def draw_operation(self, draw, operation):
        """An operation on images as the library describes it: what must be stated, and some of its options."""
        channels = draw.choice((3, 4)) if operation.makes == "gray" else None
        arguments = {operation.image: self.images(draw) if operation.takes_many else self.image(draw, channels)}
        number = lambda: draw.real() if draw.once_in(4) else draw.choice((0, 0.25, 1, 255, (1, 2, 3)))
        values = {"choice": lambda option: draw.choice(option.choices), "element": lambda option: draw.choice(option.choices),
                  "flag": lambda _: draw.once_in(2), "size": lambda _: self.size(draw), "number32": lambda _: draw.real() if draw.once_in(2) else 1.0,
                  "channels": lambda _: number(), "colour": lambda _: number(),
                  "affine": lambda _: [[draw.real() if draw.once_in(8) else draw.uniform(-3, 3) for _ in range(3)] for _ in range(2)]}
        for option in operation.options:
            stated = re.search(rf"\b{option.name}=", operation.signature) is None
            if stated or draw.once_in(2):
                arguments[option.name] = values[option.kind](option)
        if operation.gives_back and draw.once_in(4):
            many = arguments[operation.image] if isinstance(arguments[operation.image], list) else None
            count = (len(many),) if many is not None else (1,) if operation.makes == "array" else ()
            arguments["to_source"] = self.np.empty((*count, 2, 3))
        shape = lambda a: self.np.shape(a["image"])[: 2 if operation.makes == "gray" else None]
        return arguments, (lambda *_: None) if operation.takes_many or "size" in arguments else self.of_shape(shape)

    def draw_neighbor_list(self, draw):
        np = self.np
        unit = 10.0 ** draw.randrange(-3, 4) if draw.once_in(2) else 10.0 ** draw.randrange(-200, 200)
        number = lambda low, high: draw.real() if draw.once_in(40) else unit * draw.uniform(low, high)
        dimensions = draw.choice((2, 3, 3))
        positions = np.array([[number(-4, 8) for _ in range(dimensions)] for _ in range(draw.small(8))]).reshape(-1, dimensions)
        cell = None if draw.once_in(3) else np.array([[number(2, 6) if k == axis else number(-1, 1) for axis in range(dimensions)] for k in range(dimensions)])
        arguments = {"quantities": "ijSDd", "positions": positions, "cell": cell,
                     "pbc": False if cell is None else draw.choice((True, False, (True,) + (False,) * (dimensions - 1))),
                     "cutoff": number(0.2, 3), "memory_limit": 1 << 22}
        if draw.once_in(20):
            atoms = type("Atoms", (), {"positions": positions, "cell": np.eye(3), "pbc": True})()
            return {"quantities": "ij", "positions": atoms, "cutoff": number(0.2, 3), "memory_limit": 1 << 22}, lambda *_: None
        if draw.once_in(4):
            arguments["half"] = True
        elif draw.once_in(4):
            arguments["nearest"] = draw.small(5)
        if draw.once_in(4):
            arguments["dtype"] = draw.choice(("float32", "float64"))
        if draw.once_in(3):
            arguments["capacity"] = draw.small(60)
        if draw.once_in(6):
            arguments["types"] = np.array([draw.small(1) for _ in positions], np.int32)
            arguments["cutoff"] = [[number(0.2, 3)] * 2] * 2
        return arguments, self.check_list

    def draw_SkinnedNeighbors(self, draw):
        np = self.np
        asked, _ = self.draw_neighbor_list(draw)
        box = [asked.get("cell"), asked.get("pbc")] if isinstance(asked["positions"], np.ndarray) else []
        moves = [draw.choice((0, 1e-3, 0.1, 3)) * draw.uniform(-1, 1) for _ in range(3)]
        arguments = {"quantities": "ijSDd", "cutoff": np.max(asked["cutoff"]).item(), "memory_limit": 1 << 22,
                     "skin": draw.real() if draw.once_in(8) else asked["cutoff"] * 0.2 if np.ndim(asked["cutoff"]) == 0 else 0.1}
        for key in ("half", "dtype"):
            if key in asked:
                arguments[key] = asked[key]
        if draw.once_in(2):
            arguments["room"] = draw.small(400)

        def check(near, arguments, there=lambda array: array):
            options = {key: arguments[key] for key in ("half", "dtype") if key in arguments}
            for moved in moves if box else [0]:
                positions = asked["positions"] + moved if box else asked["positions"]
                room = arguments.get("room")
                capacity = {} if room is None else {"capacity": int(room) // 2}
                found = near(there(positions), *map(there, box), **capacity)
                if capacity:
                    *found, status = found
                    pairs = int(getattr(status, "array", status)[0])
                    found = [one[:pairs] for one in found]
                    if pairs > capacity["capacity"] or (getattr(status, "array", status)[2:] >= 0).any():
                        assert (getattr(found[0], "array", found[0]) == -1).all(), "a part of a list was written"
                        continue
                right = self.lanework.neighbor_list(
                    arguments["quantities"], positions, *box, cutoff=arguments["cutoff"], memory_limit=1 << 22, **{"dtype": "float64", **options})
                if len(arguments["quantities"]) > 1:
                    for a, b in zip(found, right, strict=True):
                        a = getattr(a, "array", a)
                        a = a[:, :b.shape[1]] if b.ndim == 2 else a  # of given arrays D has three columns
                        assert np.array_equal(a, b), "another list than that of these positions"
        return arguments, check

    def numbers(self, draw, shape, dtype):
        """Whole numbers of every size, or real ones of which some are extreme."""
        np = self.np
        if np.dtype(dtype).kind in "iu":
            return np.frombuffer(draw.randbytes(int(np.prod(shape)) * np.dtype(dtype).itemsize), dtype).reshape(shape)
        values = np.array([draw.real() if draw.once_in(4) else draw.random() for _ in range(64)])
        return np.resize(values, shape).astype(dtype)

    def draw_matmul(self, draw):
        dtype, m, n, k = draw.choice(("int32", "float32")), draw.small(20), draw.small(20), draw.small(20)
        arguments = {"a": self.numbers(draw, (m, n), dtype), "b": self.numbers(draw, (n, k), dtype)}
        if draw.once_in(3):
            arguments["out"] = self.np.empty((m, k), dtype)
        if draw.once_in(3):  # not beta: calls are made again, for the result that is there then
            arguments["alpha"] = draw.choice((0, 1, 2, -3))
        if draw.once_in(3):
            arguments["bias"] = self.numbers(draw, (k,), dtype)
        if draw.once_in(3):
            arguments["activation"] = draw.choice(("gelu", "gelu_tanh"))
        return arguments, self.of_shape(lambda a: (self.np.shape(a["a"])[0], self.np.shape(a["b"])[1]))

    def draw_batched_matmul(self, draw):
        dtype, count, m, n, k = draw.choice(("float16", "float32")), draw.small(5), draw.small(12), draw.small(12), draw.small(12)
        arguments = {"a": self.numbers(draw, (count, m, n), dtype), "b": self.numbers(draw, (n, k) if draw.once_in(3) else (count, n, k), dtype)}
        if draw.once_in(3):
            arguments["out"] = self.np.empty((count, m, k), dtype)
        return arguments, self.of_shape(lambda a: (*self.np.shape(a["a"])[:2], self.np.shape(a["b"])[-1]))

    def draw_transpose(self, draw):
        arguments = {"matrix": self.numbers(draw, (draw.small(30), draw.small(30)), draw.choice(("int32", "float32")))}
        return arguments, self.of_shape(lambda a: self.np.shape(a["matrix"])[::-1])

    def draw_reduce(self, draw):
        form = draw.choice(("sum", "min", "max", "argmin", "argmax"))
        return {"array": self.numbers(draw, (1 + draw.small(60),), draw.choice(("int32", "float32", "float64"))), "form": form}, lambda *_: None

    def draw_reproducible_sum(self, draw):
        return {"array": self.numbers(draw, (draw.small(60),), draw.choice(("float32", "float64")))}, lambda *_: None

    def draw_histogram(self, draw):
        def check(result, arguments):
            assert result.sum() == self.np.size(arguments["array"]), "every byte is counted once"
        return {"array": self.numbers(draw, (draw.small(200),), "u1")}, check

    def draw_gelu(self, draw):
        arguments = {"array": self.numbers(draw, (draw.small(60),), draw.choice(("float16", "float32"))), "form": draw.choice(("erf", "tanh"))}
        return arguments, self.of_shape(lambda a: self.np.shape(a["array"]))

    def draw_add(self, draw):
        shape = (draw.small(60),)
        return {"x": self.numbers(draw, shape, "float32"), "y": self.numbers(draw, shape, "float32")}, self.of_shape(lambda a: self.np.shape(a["x"]))

    def draw_decode(self, draw):
        form, classes, count = draw.choice(("v5", "v8")), 1 + draw.small(5), draw.small(40)
        shape = (count, 5 + classes) if form == "v5" else (4 + classes, count)
        shape = (draw.small(3), *shape) if draw.once_in(3) else shape

        def check(result, arguments):
            head = self.np.shape(arguments["head"])
            count = head[-2] if arguments["form"] == "v5" else head[-1]
            assert result[0].shape == (*head[:-2], count, 4) and result[1].shape == result[2].shape == (*head[:-2], count)
        return {"head": self.numbers(draw, shape, "float32"), "form": form, "score_threshold": draw.real() if draw.once_in(3) else 0.5}, check

    def draw_nms(self, draw):
        count = draw.small(40)
        before = (draw.small(3),) if draw.once_in(3) else ()
        arguments = {"boxes": self.numbers(draw, (*before, count, 4), "float32"), "scores": self.numbers(draw, (*before, count), "float32"),
                     "iou_threshold": draw.real() if draw.once_in(3) else draw.random(), "form": draw.choice(("xyxy", "xywh", "cxcywh"))}
        if draw.once_in(3):
            arguments["classes"] = self.numbers(draw, (*before, count), "int32")
        if draw.once_in(3):
            arguments["capacity"] = draw.small(50)
        if draw.once_in(4):
            arguments["top"] = draw.small(50)
        if draw.once_in(3):
            arguments["to_source"] = self.numbers(draw, (*before, 2, 3), "float64")
        if draw.once_in(3):
            sizes = [draw.small(99) for _ in range(2 * int(self.np.prod(before)))]
            arguments["sizes"] = self.np.array(sizes, self.np.int32).reshape(*before, 2)

        def check(result, arguments):
            np, count = self.np, np_shape(arguments["boxes"])[-2]
            with_boxes = arguments.get("to_source") is not None or arguments.get("sizes") is not None
            if with_boxes:
                assert result[-1].shape == (*result[0].shape, 4), "a box for each index"
                result = result[:-1] if len(result) == 3 else result[0]
            each = zip(*result) if isinstance(result, tuple) else [(result, len(result))]
            for indices, kept in each:
                chosen = indices[:kept]
                assert (chosen >= 0).all() and (chosen < count).all() and len(np.unique(chosen)) == kept, "indices of boxes, each once"
                assert (indices[kept:] == -1).all()
        np_shape = self.np.shape
        return arguments, check

    def check_list(self, result, arguments):
        """In open space every pair that NumPy finds."""
        np = self.np
        if arguments["quantities"] == "ijSDd" and arguments.get("capacity") is not None:
            pairs = result[-1][0] if result[-1][0] <= len(result[0]) else 0
            assert (result[0][:pairs] >= 0).all(), "a pair is missing"
            assert all((one[pairs:] == behind).all() for one, behind in zip(result, (-1, -1, 0, 0, 0))), "something else stands behind"
            result = [one[:pairs] for one in result]
            if result[0].size == 0:
                return
        if arguments["cell"] is not None or arguments.get("nearest") or arguments["quantities"] != "ijSDd":
            return
        if np.ndim(arguments["cutoff"]) or not isinstance(arguments["positions"], np.ndarray):
            return
        dtype = np.dtype(arguments.get("dtype") or (np.float32 if arguments["positions"].dtype == np.float32 else np.float64))
        with np.errstate(all="ignore"):
            x = np.asarray(arguments["positions"], dtype)
            D = x[None] - x[:, None]
            squared = (D[..., 0] * D[..., 0] + D[..., 1] * D[..., 1]) + (D[..., 2] * D[..., 2] if x.shape[1] == 3 else 0)
            near = squared < dtype.type(arguments["cutoff"]) * dtype.type(arguments["cutoff"])
        np.fill_diagonal(near, False)
        i, j = np.nonzero(np.triu(near) if arguments.get("half") else near)
        assert np.array_equal(result[0], i) and np.array_equal(result[1], j), "other pairs than NumPy finds"


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.NamedTemporaryFile() as told:
        environment = {**os.environ, "LD_PRELOAD": os.environ.get("PRELOAD", "")}
        status = subprocess.run([sys.executable, "-X", "faulthandler", __file__, "--child", str(seconds), str(seed), told.name], env=environment, check=False).returncode
        if status:
            print(f"it ended with {status} in\n{told.read().decode(errors='replace').strip()}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        sys.exit(main())
