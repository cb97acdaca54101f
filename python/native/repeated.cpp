// Calls from Python that are made again: what is like an earlier call is found here, where looking at three tensors
// takes a fifth of what it takes the interpreter. python/lanework/repeated.py says what is kept, and when.
//
// An extension module of Python's stable ABI (3.10): one file for all versions. The package works without it.
#include <cstring>
#include <functional>
#include <unordered_map>

#include "python/native/kept_call.hpp"
#include "python/native/turn.hpp"

namespace {
using namespace lanework::repeated;

template <class T>
bool read_numbers(PyObject* sequence, std::vector<T>& numbers) {
    const Py_ssize_t count = PySequence_Size(sequence);
    for (Py_ssize_t k = 0; k < count; ++k) {
        const Object item(PySequence_GetItem(sequence, k));
        if (!item) return false;
        numbers.push_back(static_cast<T>(PyLong_AsLongLong(item.get())));
    }
    return count >= 0 && !PyErr_Occurred();
}

void delete_kept(PyObject* capsule) { delete static_cast<Kept*>(PyCapsule_GetPointer(capsule, Kept::kName)); }

/// Reads numbers that come by `each`: visit(the first of them).
template <class Visit>
bool read_groups(PyObject* sequence, std::size_t each, const Visit& visit) {
    std::vector<std::int64_t> numbers;
    if (!read_numbers(sequence, numbers)) return false;
    for (std::size_t k = 0; k + each <= numbers.size(); k += each) visit(numbers.data() + k);
    return true;
}

/// (function, the word of the length, that of the capacity, words of the addresses, what the arrays are like), or None
bool read_sized(PyObject* given, Kept::Sized& sized) {
    if (given == Py_None) return true;
    PyObject *words, *like;
    unsigned long long function;
    Py_ssize_t length, capacity;
    if (!PyArg_ParseTuple(given, "KnnOO", &function, &length, &capacity, &words, &like)) return false;
    sized.function = function;
    sized.length = static_cast<std::size_t>(length);
    sized.capacity = static_cast<std::size_t>(capacity);
    sized.like = own(like);
    return read_numbers(words, sized.words);
}

/// (lengths and steps, what it holds and where, whether it is given) of each
bool read_made(PyObject* sequence, std::vector<Kept::Made>& made) {
    const Py_ssize_t count = PySequence_Size(sequence);
    for (Py_ssize_t k = 0; k < count; ++k) {
        const Object item(PySequence_GetItem(sequence, k));
        PyObject *shape, *options;
        int is_given;
        if (!item || !PyArg_ParseTuple(item.get(), "O!O!p", &PyTuple_Type, &shape, &PyDict_Type, &options, &is_given))
            return false;
        made.push_back({own(shape), own(options), is_given != 0});
    }
    return count >= 0;
}

/// keep(function, call, operation, memory, words where its blocks begin, (word, array, offset …) of addresses,
/// (word, word …) of addresses within, number, options or None, device, threads, spans, outputs, pairs in place, made,
/// form, sized, told, turn or None)
PyObject* keep(PyObject*, PyObject* arguments) {
    auto kept = std::make_unique<Kept>();
    const char *operation, *memory, *options;
    Py_ssize_t bytes, option_bytes;
    PyObject *blocks, *slots, *inner, *spans, *written, *in_place, *made, *form, *sized, *turn;
    unsigned long long function;
    int call;
    long long number;
    if (!PyArg_ParseTuple(arguments, "Kiyy#OOOLz#iiOOOOOOnO:keep", &function, &call, &operation, &memory, &bytes,
                          &blocks, &slots, &inner, &number, &options, &option_bytes, &kept->device, &kept->threads,
                          &spans, &written, &in_place, &made, &form, &sized, &kept->told, &turn))
        return nullptr;
    kept->function = function;
    kept->call = static_cast<Kept::Form>(call);
    kept->operation = operation;
    kept->memory.resize(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t));
    std::memcpy(kept->memory.data(), memory, kept->memory.size() * sizeof(std::uint64_t));
    kept->number = number;
    if (options) kept->options.assign(options, static_cast<std::size_t>(option_bytes));
    std::vector<std::size_t> pairs;
    const auto at = [](std::int64_t index) { return static_cast<std::size_t>(index); };
    if (!read_numbers(blocks, kept->blocks) || !read_numbers(spans, kept->spans) ||
        !read_numbers(written, kept->written) || !read_numbers(in_place, pairs) || !read_sized(sized, kept->sized) ||
        !read_made(made, kept->made) ||
        !read_groups(slots, 3,
                     [&](const std::int64_t* k) {
                         kept->slots.push_back({at(k[0]), at(k[1]), k[2]});
                     }) ||
        !read_groups(inner, 2, [&](const std::int64_t* k) {
            kept->inner.push_back({at(k[0]), at(k[1])});
        }))
        return nullptr;
    kept->is_written.resize(kept->spans.size());
    for (const std::size_t array : kept->written) kept->is_written.at(array) = true;
    kept->in_place.resize(kept->spans.size() * kept->spans.size());
    for (const std::size_t pair : pairs) kept->in_place.at(pair) = true;
    kept->form = own(form);
    if (turn != Py_None) kept->turn = own(turn);  // a Turn of this module's
    PyObject* const capsule = PyCapsule_New(kept.get(), Kept::kName, delete_kept);
    if (capsule) kept.release();
    return capsule;
}

struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
};

/// A call, and the objects whose addresses its key has.
struct Entry {
    std::vector<Object> named;
    Object kept;
};
using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

/// The calls of one function that are kept.
struct Calls {
    static constexpr std::size_t kMost = 1024;

    PyObject ob_base;
    Entries* kept;
    PyObject *function, *look, *stream_handle, *numpy_array;
};

/// How a call that was looked for ended: with a result; or it is to be looked at from the beginning; or with an
/// exception.
enum class Outcome { done, unlike, failed };

/// What a function itself would refuse it says better.
Outcome unlike_or_failed() {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_RuntimeError) &&
        !PyErr_ExceptionMatches(PyExc_AttributeError) && !PyErr_ExceptionMatches(PyExc_BufferError))
        return Outcome::failed;
    PyErr_Clear();
    return Outcome::unlike;
}

/// The stream that is named, or PyTorch's current one.
bool find_stream(const Calls& calls, PyObject* named, std::int32_t device, void*& stream) {
    if (!named) return torch().current_stream(device, stream);
    const Object handle(PyObject_CallFunctionObjArgs(calls.stream_handle, named, nullptr));
    if (!handle) return false;
    stream = PyLong_AsVoidPtr(handle.get());
    return !PyErr_Occurred();
}

/// Appends the outputs that the call makes.
bool make_outputs(const Kept& kept, Kept::Arrays& arrays) {
    for (const Kept::Made& made : kept.made) {
        Likeness::Array& array = arrays.emplace_back();
        if (!made.is_given && torch().gives_memory()) {
            array.memory = torch().allocate(kept.spans.at(arrays.size() - 1), kept.device, array.address);
            if (!array.memory) return false;
            continue;
        }
        array.tensor = torch().empty_strided(made.shape.get(), made.options.get());
        if (!array.tensor || !torch().address_of(array.tensor.get(), array.address)) return false;
    }
    return true;
}

/// Drops all but so many rows of the outputs, which are all that the call has made.
bool shorten(const Kept& kept, long long rows, const std::vector<Object>& outputs) {
    const std::size_t given = kept.spans.size() - kept.made.size();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        PyObject* const lengths = PyTuple_GetItem(kept.made.at(kept.written[k] - given).shape.get(), 0);
        const Py_ssize_t axes = lengths ? PyTuple_Size(lengths) : -1;
        const Object left(axes > 0 ? PyTuple_New(axes) : nullptr);
        if (!left) return false;
        PyTuple_SetItem(left.get(), 0, PyLong_FromLongLong(rows));
        for (Py_ssize_t axis = 1; axis < axes; ++axis)
            PyTuple_SetItem(left.get(), axis, Py_NewRef(PyTuple_GetItem(lengths, axis)));
        if (!Object(PyObject_CallMethodObjArgs(outputs[k].get(), names.resize, left.get(), nullptr))) return false;
    }
    return true;
}

/// Makes the arrays whose length is known now, and calls the function that fills them.
Outcome fill_sized(const Kept& kept, Kept::Words& words, void* stream, std::vector<Object>& outputs) {
    const Kept::Sized& sized = kept.sized;
    const auto length = static_cast<long long>(words[sized.length]);
    words[sized.capacity] = static_cast<std::uint64_t>(length);
    for (std::size_t k = 0; k < sized.words.size(); ++k) {
        const Object how(PySequence_GetItem(sized.like.get(), static_cast<Py_ssize_t>(k)));
        long long row;
        PyObject* options;
        if (!how || !PyArg_ParseTuple(how.get(), "LO", &row, &options)) return Outcome::failed;
        const Object given(row == 0 ? Py_BuildValue("((L)(i))", length, 1)
                                    : Py_BuildValue("((LL)(Li))", length, row, row, 1));
        if (!given) return Outcome::failed;
        Object made(torch().empty_strided(given.get(), options));
        if (!made || !torch().address_of(made.get(), words[sized.words[k]])) return Outcome::failed;
        outputs.push_back(std::move(made));
    }
    if (length == 0) return Outcome::done;
    std::int32_t status;
    Py_BEGIN_ALLOW_THREADS;
    status = kept.run(sized.function, words, stream);
    Py_END_ALLOW_THREADS;
    return status == 0 ? Outcome::done : Outcome::unlike;
}

/// The result: an output where its number stands, tuples and lists of results, and copies of NumPy's arrays.
Object result_of(PyObject* form, const std::vector<Object>& outputs) {
    if (PyLong_CheckExact(form)) return own(outputs.at(PyLong_AsSize_t(form)).get());
    const bool is_tuple = PyTuple_CheckExact(form);
    if (!is_tuple && !PyList_CheckExact(form)) return Object(PyObject_CallMethodObjArgs(form, names.copy, nullptr));
    const Py_ssize_t count = PySequence_Size(form);
    Object made(is_tuple ? PyTuple_New(count) : PyList_New(count));
    for (Py_ssize_t k = 0; made && k < count; ++k) {
        const Object part(PySequence_GetItem(form, k));
        Object one = part ? result_of(part.get(), outputs) : nullptr;
        if (!one) return nullptr;
        if (is_tuple)
            PyTuple_SetItem(made.get(), k, one.release());
        else
            PyList_SetItem(made.get(), k, one.release());
    }
    return made;
}

/// Computes what is kept with the addresses of this call.
Outcome call_again(const Calls& calls, const Kept& kept, Likeness& call, Object& result) {
    void* stream = nullptr;
    if (!find_stream(calls, call.stream, kept.device, stream) || !make_outputs(kept, call.arrays))
        return unlike_or_failed();
    if (call.arrays.size() != kept.spans.size() || kept.may_overlap(call.arrays)) return Outcome::unlike;
    Kept::Words words(call.memory());
    kept.fill(words, call.arrays);
    HeldTurn turn;
    if (!turn.begin(kept.turn.get())) return Outcome::failed;
    std::int32_t status;
    Py_BEGIN_ALLOW_THREADS;
    status = kept.run(kept.function, words, stream);
    Py_END_ALLOW_THREADS;
    if (status != 0) return Outcome::unlike;
    std::vector<Object> outputs;
    for (const std::size_t array : kept.written) outputs.emplace_back(Py_XNewRef(call.arrays[array].tensor.get()));
    if (kept.told >= 0 && !shorten(kept, static_cast<long long>(words[static_cast<std::size_t>(kept.told)]), outputs))
        return Outcome::failed;
    if (kept.sized.function) {
        const Outcome filled = fill_sized(kept, words, stream, outputs);
        if (filled != Outcome::done) return filled;
    }
    result = result_of(kept.form.get(), outputs);
    return result ? Outcome::done : Outcome::failed;
}

/// Looks for such a call and makes it again.
Outcome find_call(const Calls& calls, Likeness& call, Object& result) {
    const auto found = calls.kept->find(call.key());
    if (found == calls.kept->end()) return Outcome::unlike;
    const Object alive = own(found->second.kept.get());  // a call of another thread's may drop all that are kept
    const auto* const kept = static_cast<const Kept*>(PyCapsule_GetPointer(alive.get(), Kept::kName));
    if (!kept) return Outcome::failed;
    const std::size_t of_arguments = call.arrays.size();
    const Outcome outcome = call_again(calls, *kept, call, result);
    call.arrays.resize(of_arguments);
    return outcome;
}

/// look(tensors, given, options): calls the function; its result, and the call as it is to be kept or None.
PyObject* look(const Calls& calls, Likeness& call, PyObject* given, PyObject* options) {
    const Object tensors(PyList_New(static_cast<Py_ssize_t>(call.arrays.size())));
    if (!tensors) return nullptr;
    for (std::size_t k = 0; k < call.arrays.size(); ++k)
        PyList_SetItem(tensors.get(), static_cast<Py_ssize_t>(k), Py_NewRef(call.arrays[k].tensor.get()));
    const Object both(PyObject_CallFunctionObjArgs(calls.look, tensors.get(), given, options, nullptr));
    PyObject *result, *kept;
    if (!both || !PyArg_ParseTuple(both.get(), "OO", &result, &kept)) return nullptr;
    if (kept != Py_None) {
        Entries dropped;  // whose ends may be the program's, and call this function
        if (calls.kept->size() >= Calls::kMost) calls.kept->swap(dropped);
        Entry entry{{}, own(kept)};
        for (Object& each : call.named) entry.named.push_back(std::move(each));
        std::swap((*calls.kept)[std::string(call.key())], entry);
    }
    return Py_NewRef(result);
}

/// call(given, options): what function(*given, **options) gives back.
PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    const Calls& calls = *reinterpret_cast<Calls*>(self);
    if (count != 2 || !PyTuple_Check(arguments[0]) || !PyDict_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "call(given, options)");
        return nullptr;
    }
    PyObject *const given = arguments[0], *const options = arguments[1];
    if (torch().is_there()) {
        Likeness like(calls.numpy_array);
        Object result;
        const bool is_kept = like.add_arguments(given, options);
        if (!is_kept && unlike_or_failed() == Outcome::failed) return nullptr;
        if (is_kept && !like.arrays.empty()) {
            switch (find_call(calls, like, result)) {
                case Outcome::done: return result.release();
                case Outcome::failed: return nullptr;
                case Outcome::unlike: break;
            }
            return look(calls, like, given, options);
        }
    }
    return PyObject_Call(calls.function, given, options);
}

/// Calls(function, look, stream_handle, the type of NumPy's arrays)
int initialise(PyObject* self, PyObject* arguments, PyObject*) {
    Calls& calls = *reinterpret_cast<Calls*>(self);
    PyObject *function, *look_at, *stream_handle, *numpy_array;
    if (!PyArg_ParseTuple(arguments, "OOOO:Calls", &function, &look_at, &stream_handle, &numpy_array)) return -1;
    calls.kept = new Entries;
    calls.function = Py_NewRef(function);
    calls.look = Py_NewRef(look_at);
    calls.stream_handle = Py_NewRef(stream_handle);
    calls.numpy_array = Py_NewRef(numpy_array);
    return 0;
}

void deallocate(PyObject* self) {
    const Calls& calls = *reinterpret_cast<Calls*>(self);
    delete calls.kept;
    for (PyObject* const each : {calls.function, calls.look, calls.stream_handle, calls.numpy_array}) Py_XDECREF(each);
    PyTypeObject* const of = Py_TYPE(self);
    reinterpret_cast<freefunc>(PyType_GetSlot(of, Py_tp_free))(self);
    Py_DECREF(of);
}

/// A function pointer of any kind as Python's tables hold it.
template <class Function>
void* slot(Function* function) {
    return reinterpret_cast<void*>(function);
}

PyMethodDef of_calls[] = {{"call", reinterpret_cast<PyCFunction>(slot(call)), METH_FASTCALL, nullptr}, {}};
PyType_Slot slots[] = {
    {Py_tp_init, slot(initialise)}, {Py_tp_dealloc, slot(deallocate)}, {Py_tp_methods, of_calls}, {}};
PyType_Spec type_of_calls = {"lanework._repeated.Calls", sizeof(Calls), 0, Py_TPFLAGS_DEFAULT, slots};
PyMethodDef functions[] = {{"keep", keep, METH_VARARGS, nullptr}, {}};
PyModuleDef module_of_calls = {
    PyModuleDef_HEAD_INIT, "_repeated", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__repeated() {
    Object module(PyModule_Create(&module_of_calls));
    if (!module || !names.make()) return nullptr;
    const Object calls(PyType_FromSpec(&type_of_calls)), turn(Turn::make_type());
    if (!calls || PyModule_AddObjectRef(module.get(), "Calls", calls.get()) != 0) return nullptr;
    if (!turn || PyModule_AddObjectRef(module.get(), "Turn", turn.get()) != 0) return nullptr;
    return module.release();
}
