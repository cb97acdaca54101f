"""Calls that are made again: for tensors of PyTorch's on a GPU that lie as those of an earlier call did, all is known but their addresses.

Looking at the arguments of a call takes several times as long as enqueuing its kernels. What that found is kept, with all that it
depends on: each tensor's type, shape, strides and device, and every other argument. The same call again finds it there, and the
library checks addresses as always. What it refuses, and tensors that may overlap, are looked at from the beginning, which says why.

How a tensor lies is asked of DLPack's functions in C where PyTorch has them, since 2.10, and else of its attributes.

What is kept is found by an extension module, `_repeated` (python/native/repeated.cpp). In a package that was built without Python's
headers, and in an interpreter that cannot load it, each call is looked at. A free-threaded interpreter (3.13t, 3.14t) loads it and
crashes: objects of the stable ABI lie otherwise there. It is not asked.
"""
import ctypes
import functools
import inspect
import sys
import threading

import numpy as np

from . import gpu

_repeated = None
if "t" not in sys.abiflags:
    try:
        from . import _repeated
    except ImportError:
        pass

Turn = threading.Lock if _repeated is None else _repeated.Turn  # `with turn:` is one call at a time

_DESCRIPTION = 40  # bytes of an array's description, which begins with its address: python/native/arrays.cpp and images.cpp
_WORD = 8
_ARRAYS, _IMAGES, _REQUEST, _LIST = range(4)  # how a function of C takes its blocks: Kept::Form of repeated.cpp
_thread = threading.local()  # heard: where a call of this thread that may be kept finds its request


class _Heard:
    """What was asked of the library. blocks: of memory, that its function is given; slots: (block, byte, view) where one holds the address
    of an array; inner: (block, byte, bytes) where one holds that of memory of the host's; written: how many arrays, of those that were
    viewed last, are outputs; sized, turn: as told_list says; told: the byte of the first block where the function writes how many rows of
    the outputs, all new, it has filled."""

    __slots__ = ("function", "call", "operation", "blocks", "slots", "inner", "number", "options", "place", "written", "sized", "told", "turn")

    def __init__(self, function, call, operation, blocks, slots, inner, number, options, place, written, sized=None, told=None, turn=None):
        self.function, self.call, self.operation, self.blocks, self.slots, self.inner = function, call, operation, blocks, slots, inner
        self.number, self.options, self.place, self.written, self.sized, self.told, self.turn = number, options, place, written, sized, told, turn


def _heard():
    return getattr(_thread, "heard", None)


def is_heard():
    """Whether told_list() would be listened to."""
    return _heard() is not None


def request(function, operation, inputs, outputs, rest, again, place, there=None):
    """Calls this function of C with descriptions of arrays, its other arguments and the place, and returns its status. `again` are the
    number and the options of a call for other arrays that lie alike; options are None for a function that has none. there: one more output,
    viewed last, which `rest` has the address of."""
    blocks, heard = (b"".join(inputs), b"".join(outputs)), _heard()
    if heard is not None:
        call, more, slots = _ARRAYS if again[1] is None else _IMAGES, (), ()
        if there is not None:
            more, slots = (bytes(_WORD),), [(2, 0, there)]
        heard.append(_Heard(function, call, operation, (*blocks, *more), slots, (), *again, place, len(outputs) + len(slots)))
    return function(operation, *blocks, *rest, place.packed())


def request_of(function, block, views, host, place, written, told=None):
    """Calls this function of C with a request and the place. views: by bytes of the request, of the arrays whose addresses are there; host:
    bytes of memory that the function reads, likewise; written: how many of the arrays are outputs, those that were viewed last. told: the
    byte of the request where it writes how many rows of the outputs it has filled, to which gpu.first_rows cuts them in the result."""
    heard = _heard()
    if heard is not None:
        slots = [(0, at, view) for at, view in views.items()]
        inner = [(0, at, some) for at, some in host.items()]
        heard.append(_Heard(function, _REQUEST, b"", (bytes(block),), slots, inner, 0, None, place, written, told=told))
    return function(block, place.packed())


def told_list(function, then, blocks, views, host, place, written, sized, turn):
    """Tells who hears of a call with a request and a list, two structures, that has been made. views and host: as of request_of, by (block,
    byte). then: what fills arrays whose length it has counted, or None; sized: where in the list that length
    stands and the capacity, and the arrays, in the order of the result, by where their addresses stand. turn: the Turn that the call has,
    which it has again when it is made again, or None."""
    more = None if then is None else (then, *sized)
    _heard().append(_Heard(
        function, _LIST, b"", tuple(map(bytes, blocks)), [(*at, view) for at, view in views.items()],
        [(*at, some) for at, some in host.items()], 0, None, place, written, more, turn=turn))


class _Unlike(Exception):
    """A call that is not kept."""


def _form_of(result, outputs):
    """The result, with a number in the place of each output."""
    for k, one in enumerate(outputs):
        if result is one:
            return k
    if type(result) is np.ndarray:
        return result
    if type(result) is tuple or type(result) is list:
        return type(result)(_form_of(one, outputs) for one in result)
    raise _Unlike


def _numbers(form):
    """Those of the outputs that the result has."""
    if type(form) is int:
        return {form}
    return set().union(*map(_numbers, form)) if type(form) in (tuple, list) else set()


def _arranged(views, tensors, is_ordered):
    """The views of a call: those of its tensors, in their order, and behind them those that it made. A tensor that was given twice can be
    told apart only where arguments are in the order of the signature, in which all functions view them."""
    left, of_tensors = list(views), []
    for one in tensors:
        found = next((k for k, view in enumerate(left) if view.owner is one), None)
        if found is None:
            raise _Unlike
        of_tensors.append(left.pop(found))
    if not is_ordered and len({id(one) for one in tensors}) < len(tensors):
        raise _Unlike
    if any(view.owner is one for view in left for one in tensors):
        raise _Unlike
    return of_tensors + left


def _address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def _kept(heard, tensors, result, is_ordered):
    """A call but for the addresses of its arrays, and the stream, as `_repeated` keeps it."""
    if len(heard) != 1:
        raise _Unlike
    (heard,) = heard
    place = heard.place
    if not place.on_gpu:
        raise _Unlike
    views = list(place.views)
    sized = heard.sized[-1] if heard.sized else {}
    more = [view for view in views if any(view is one for one in sized.values())]
    views = [view for view in views if not any(view is one for one in more)]
    outputs = views[len(views) - heard.written:]
    arrays = _arranged(views, tensors, is_ordered)
    if (len(arrays) > len(tensors) or more) and place.stream is not None:  # which PyTorch makes on a stream that is current
        raise _Unlike
    number_of = {id(view): k for k, view in enumerate(arrays)}
    written = [number_of[id(view)] for view in outputs]
    memory, starts, inner = _memory(heard)
    slots = [(starts[block] + at // _WORD, view, 0) for block, at, view in heard.slots]
    if heard.call in (_ARRAYS, _IMAGES):
        slots += _described(heard, starts, views[:len(views) - len(slots)], heard.written - len(slots))
    in_place = [
        k * len(arrays) + other for k in range(len(arrays)) for other in range(k)
        if (k in written or other in written) and arrays[other].address == arrays[k].address
    ]
    form = _form_of(result, [view.owner for view in (*outputs, *more)])
    given = {written[k] for k in _numbers(form) if k < len(written)}
    made = [((tuple(arrays[k].shape), tuple(arrays[k].steps)), _like(arrays[k]), k in given) for k in range(len(tensors), len(arrays))]
    return _repeated.keep(
        _address(heard.function), heard.call, heard.operation, memory, starts,
        [part for word, view, offset in slots for part in (word, number_of[id(view)], offset)], inner, heard.number, heard.options, place.device,
        place.threads, [0 if 0 in view.shape else view.bytes() for view in arrays], written, in_place, made,
        form, _sized(heard, starts), -1 if heard.told is None else heard.told // _WORD, heard.turn)


def _like(view):
    return {"dtype": view.owner.dtype, "device": view.owner.device}


def _memory(heard):
    """The blocks and what they name of the host's, one behind the other; the words where blocks begin; and which words name which."""
    memory, starts, inner = b"", [], []

    def append(some):
        nonlocal memory
        begin = len(memory) // _WORD
        memory += some + bytes(-len(some) % _WORD)
        return begin

    for block in heard.blocks:
        starts.append(append(block))
    for block, at, some in heard.inner:
        inner += [starts[block] + at // _WORD, append(some)]
    return memory, starts, inner


def _sized(heard, starts):
    """As _repeated.keep takes it; all words are of the list, the second block."""
    if heard.sized is None:
        return None
    then, length, capacity, arrays = heard.sized
    begin = starts[1]
    if any(view.ndim > 2 or not view.is_contiguous() for view in arrays.values()):
        raise _Unlike
    like = [(view.shape[1] if view.ndim == 2 else 0, _like(view)) for view in arrays.values()]
    return _address(then), begin + length // _WORD, begin + capacity // _WORD, [begin + at // _WORD for at in arrays], like


def _described(heard, starts, views, written):
    """Of each description the word of its address, the array's view, and how many bytes from its first. An array of several images is the
    only input."""
    words, addresses = [], []
    for start, block in zip(starts, heard.blocks[:2]):
        for at in range(0, len(block), _DESCRIPTION):
            words.append(start + at // _WORD)
            addresses.append(int.from_bytes(block[at:at + 8], "little"))
    read, inputs = len(views) - written, len(heard.blocks[0]) // _DESCRIPTION
    if len(words) == len(views):
        parts = [(view, 0) for view in views]
    elif read == 1:
        parts = [(views[0], address - views[0].address) for address in addresses[:inputs]] + [(view, 0) for view in views[1:]]
    else:
        raise _Unlike
    if addresses != [view.address + offset for view, offset in parts]:
        raise _Unlike
    return [(word, *part) for word, part in zip(words, parts)]


def _is_ordered(names, given, options):
    """Whether the arguments are in the order of the signature."""
    order = [names.index(name) for name in options if name in names]
    return order == sorted(order) and all(place >= len(given) for place in order)


def repeatable(function):
    """A function of the package that keeps its calls for tensors; it views them in the order of its signature."""
    if _repeated is None:
        return function
    names = list(inspect.signature(function).parameters)

    def look(tensors, given, options):
        _thread.heard = heard = []
        try:
            result = function(*given, **options)
        finally:
            _thread.heard = None
        try:
            return result, _kept(heard, tensors, result, _is_ordered(names, given, options))
        except _Unlike:
            return result, None

    again = _repeated.Calls(function, look, gpu.stream_handle, np.ndarray).call

    @functools.wraps(function)
    def call(*given, **options):
        return again(given, options)

    return call
