// Calls from Python that are made again: what is like an earlier call is found here, where looking at three tensors
// takes a fifth of what it takes the interpreter. python/lanework/repeated.py says what is kept, and when.
//
// An extension module of Python's stable ABI (3.10): one file for all versions. The package works without it.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "python/native/call_place.hpp"

namespace {

struct Release {
    void operator()(PyObject* object) const { Py_XDECREF(object); }
};
/// A reference of one's own. Null: an exception is set.
using Object = std::unique_ptr<PyObject, Release>;

Object own(PyObject* borrowed) { return Object(Py_NewRef(borrowed)); }

/// Names of attributes, made once.
struct Names {
    PyObject *dtype, *shape, *stride, *get_device, *requires_grad, *is_neg, *data_ptr, *stream, *nbytes, *hasobject,
        *tobytes, *likeness;
};
Names names;

/// What is called of PyTorch, of the module that was seen last: programs have one, tests several.
struct Torch {
    Object module, tensor, raw_stream, empty_strided;

    bool is(PyObject* other) const { return module.get() == other; }
    bool look_at(PyObject* other) {
        module = own(other);
        tensor = Object(PyObject_GetAttrString(other, "Tensor"));
        empty_strided = Object(PyObject_GetAttrString(other, "empty_strided"));
        const Object inner(PyObject_GetAttrString(other, "_C"));
        if (inner) raw_stream = Object(PyObject_GetAttrString(inner.get(), "_cuda_getCurrentRawStream"));
        const bool whole = tensor && empty_strided && inner && raw_stream;
        if (!whole) module.reset();
        return whole;
    }
};
Torch& torch() {
    static auto& one = *new Torch;  // never closed: interpreters end in any order
    return one;
}

bool address_of(PyObject* tensor, std::uint64_t& address) {
    const Object number(PyObject_CallMethodObjArgs(tensor, names.data_ptr, nullptr));
    if (!number) return false;
    address = PyLong_AsUnsignedLongLong(number.get());
    return !PyErr_Occurred();
}

/// What a call must be like to be an earlier one, and its tensors.
class Likeness {
public:
    /// array: the type of NumPy's arrays.
    explicit Likeness(PyObject* array) : array_(array) {
        constexpr std::size_t kUsual = 32;
        parts_.reserve(kUsual);
        tensors.reserve(kUsual);
        addresses.reserve(kUsual);
        layout_.reserve(kUsual);
    }

    std::vector<Object> tensors;
    std::vector<std::uint64_t> addresses;

    /// False where such a call is not kept; then an exception may be set.
    bool add(PyObject* value) {
        auto* const kind = reinterpret_cast<PyObject*>(Py_TYPE(value));
        if (kind == torch().tensor.get()) return add_tensor(value);
        if (value == Py_None || kind == type(PyLong_Type) || kind == type(PyUnicode_Type) ||
            kind == type(PyBool_Type) || kind == type(PyType_Type)) {
            parts_.push_back(own(kind));  // 1, 1.0 and True are three
            parts_.push_back(own(value));
            return true;
        }
        if (kind == type(PyFloat_Type)) {
            const double number = PyFloat_AsDouble(value);  // by its bits: 0.0 and −0.0 are two
            return push(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(&number), sizeof number));
        }
        if (kind == type(PyTuple_Type) || kind == type(PyList_Type)) return add_sequence(value, kind);
        if (kind == array_) return add_array(value);
        parts_.push_back(own(kind));
        return push(PyObject_GetAttr(value, names.likeness));  // of what says so itself
    }
    bool add_name(PyObject* name) { return push(Py_NewRef(name)); }

    Object key() {
        Object tuple(PyTuple_New(static_cast<Py_ssize_t>(parts_.size())));
        if (!tuple) return tuple;
        for (std::size_t k = 0; k < parts_.size(); ++k)
            PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(k), parts_[k].release());
        return tuple;
    }

private:
    static PyObject* type(PyTypeObject& of) { return reinterpret_cast<PyObject*>(&of); }

    bool push(PyObject* made) {
        if (made) parts_.emplace_back(made);
        return made;
    }

    /// What it holds, and in one text its shape, its strides, the device and what would refuse it.
    bool add_tensor(PyObject* tensor) {
        const Object shape(PyObject_GetAttr(tensor, names.shape)),
            gradient(PyObject_GetAttr(tensor, names.requires_grad));
        const Object steps(PyObject_CallMethodObjArgs(tensor, names.stride, nullptr));
        const Object device(PyObject_CallMethodObjArgs(tensor, names.get_device, nullptr));
        const Object negative(PyObject_CallMethodObjArgs(tensor, names.is_neg, nullptr));
        if (!shape || !gradient || !steps || !device || !negative) return false;
        layout_.clear();
        layout_.push_back(PyLong_AsLongLong(device.get()));
        layout_.push_back((gradient.get() != Py_False ? 1 : 0) + (negative.get() != Py_False ? 2 : 0));
        if (!add_lengths(shape.get()) || !add_lengths(steps.get()) || PyErr_Occurred()) return false;
        const auto bytes = static_cast<Py_ssize_t>(layout_.size() * sizeof(layout_[0]));
        if (!push(PyObject_GetAttr(tensor, names.dtype)) ||
            !push(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(layout_.data()), bytes)))
            return false;
        tensors.push_back(own(tensor));
        return address_of(tensor, addresses.emplace_back());
    }
    bool add_lengths(PyObject* lengths) {
        if (!PyTuple_Check(lengths)) return false;
        const Py_ssize_t count = PyTuple_Size(lengths);
        for (Py_ssize_t k = 0; k < count; ++k) layout_.push_back(PyLong_AsLongLong(PyTuple_GetItem(lengths, k)));
        return true;
    }

    /// A small array of NumPy's, by what it holds.
    bool add_array(PyObject* array) {
        constexpr long long kMostBytes = 1024;
        const Object bytes(PyObject_GetAttr(array, names.nbytes));
        if (!bytes || PyLong_AsLongLong(bytes.get()) > kMostBytes) return false;
        const Object dtype(PyObject_GetAttr(array, names.dtype));
        if (!dtype) return false;
        const Object objects(PyObject_GetAttr(dtype.get(), names.hasobject));
        if (!objects || objects.get() != Py_False) return false;
        parts_.push_back(own(dtype.get()));
        return push(PyObject_GetAttr(array, names.shape)) &&
               push(PyObject_CallMethodObjArgs(array, names.tobytes, nullptr));
    }

    bool add_sequence(PyObject* sequence, PyObject* kind) {
        const Py_ssize_t count = PySequence_Size(sequence);
        if (!push(Py_NewRef(kind)) || !push(PyLong_FromSsize_t(count))) return false;
        for (Py_ssize_t k = 0; k < count; ++k) {
            const Object item(PySequence_GetItem(sequence, k));
            if (!item || !add(item.get())) return false;
        }
        return true;
    }

    PyObject* array_;
    std::vector<Object> parts_;
    std::vector<long long> layout_;  ///< of a tensor
};

/// A call but for the addresses of its arrays, and the stream.
struct Kept {
    static constexpr const char* kName = "lanework._repeated.Kept";

    /// How its function takes the blocks, as repeated.py counts: arrays and images by their descriptions, a request, a
    /// request and what it is for.
    enum class Form : std::int32_t { arrays, images, request, request_and_list };
    /// A word of the memory that is an array's address.
    struct Slot {
        std::size_t word, array;
        std::int64_t offset;  ///< bytes from its first
    };
    /// A word that is the address of another.
    struct Inner {
        std::size_t word, to;
    };
    /// Where the first function says how long more arrays are that the second fills.
    struct Sized {
        std::uint64_t function = 0;  ///< 0: there are none
        std::size_t length, capacity;
        std::vector<std::size_t> words;  ///< of their addresses
        Object like;                     ///< of each: how long its rows are, 0 for single elements, and what it holds
    };

    std::uint64_t function;
    Form call;
    std::string operation;  ///< of arrays and images
    std::vector<std::uint64_t> memory;
    std::vector<std::size_t> blocks;  ///< where they begin in it
    std::vector<Slot> slots;
    std::vector<Inner> inner;
    std::int64_t number;  ///< the form of arrays; of images, how many there are
    std::string options;  ///< of images
    std::int32_t device, threads;
    std::vector<std::uint64_t> spans;  ///< bytes from each array's first to its last
    std::vector<std::size_t> written;  ///< arrays that are outputs, in their order
    std::vector<bool> is_written;
    std::vector<bool> in_place;  ///< arrays × arrays: began at one address
    Object made;                 ///< arguments of empty_strided for the outputs that are new
    Object form;                 ///< of the result
    Sized sized;
    Py_ssize_t told;  ///< a word that the function writes, a number for the result; −1: none

    bool may_overlap(const std::vector<std::uint64_t>& addresses) const {
        for (std::size_t k = 0; k < addresses.size(); ++k)
            for (std::size_t other = 0; other < k; ++other) {
                if (!is_written[k] && !is_written[other]) continue;
                const bool apart =
                    addresses[other] >= addresses[k] + spans[k] || addresses[k] >= addresses[other] + spans[other];
                const bool same = addresses[other] == addresses[k] && in_place[k * spans.size() + other];
                if (!apart && !same) return true;
            }
        return false;
    }

    /// The memory of a call with these arrays, whose function reads and writes it. It must not move.
    void fill(std::vector<std::uint64_t>& words, const std::vector<std::uint64_t>& addresses) const {
        words = memory;
        for (const Slot& slot : slots)
            words[slot.word] = addresses[slot.array] + static_cast<std::uint64_t>(slot.offset);
        for (const Inner& one : inner) words[one.word] = reinterpret_cast<std::uintptr_t>(words.data() + one.to);
    }

    /// Of images whose way back is written to an array of the GPU's: its address, in a block of its own.
    void* to_source(const std::vector<std::uint64_t>& words) const {
        constexpr std::size_t kBlock = 2;
        return blocks.size() > kBlock ? reinterpret_cast<void*>(words[blocks[kBlock]]) : nullptr;
    }

    std::int32_t run(std::uint64_t with, std::vector<std::uint64_t>& words, void* stream) const {
        using OfArrays = std::int32_t (*)(const char*, const void*, const void*, std::int32_t, const lanework_place*);
        using OfImages = std::int32_t (*)(const char*, const void*, const void*, std::int64_t, const void*, double*,
                                          void*, const lanework_place*);
        using OfRequest = std::int32_t (*)(const void*, const lanework_place*);
        using OfList = std::int32_t (*)(const void*, void*, const lanework_place*);
        const lanework_place place{stream, device, threads};
        const auto block = [&](std::size_t k) { return words.data() + blocks[k]; };
        switch (call) {
            case Form::arrays:
                return reinterpret_cast<OfArrays>(with)(operation.c_str(), block(0), block(1),
                                                        static_cast<std::int32_t>(number), &place);
            case Form::images:
                return reinterpret_cast<OfImages>(with)(operation.c_str(), block(0), block(1), number, options.data(),
                                                        nullptr, to_source(words), &place);
            case Form::request: return reinterpret_cast<OfRequest>(with)(block(0), &place);
            case Form::request_and_list: break;
        }
        return reinterpret_cast<OfList>(with)(block(0), block(1), &place);
    }
};

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

/// keep(function, call, operation, memory, words where its blocks begin, (word, array, offset …) of addresses,
/// (word, word …) of addresses within, number, options or None, device, threads, spans, outputs, pairs in place, made,
/// form, sized, told)
PyObject* keep(PyObject*, PyObject* arguments) {
    auto kept = std::make_unique<Kept>();
    const char *operation, *memory, *options;
    Py_ssize_t bytes, option_bytes;
    PyObject *blocks, *slots, *inner, *spans, *written, *in_place, *made, *form, *sized;
    unsigned long long function;
    int call;
    long long number;
    if (!PyArg_ParseTuple(arguments, "Kiyy#OOOLz#iiOOOOOOn:keep", &function, &call, &operation, &memory, &bytes,
                          &blocks, &slots, &inner, &number, &options, &option_bytes, &kept->device, &kept->threads,
                          &spans, &written, &in_place, &made, &form, &sized, &kept->told))
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
    kept->made = own(made);
    kept->form = own(form);
    PyObject* const capsule = PyCapsule_New(kept.get(), Kept::kName, delete_kept);
    if (capsule) kept.release();
    return capsule;
}

/// The calls of one function that are kept.
struct Calls {
    PyObject ob_base;
    PyObject *kept, *function, *look, *stream_handle, *array;
};

/// How a call that was looked for ended: with a result; or it is to be looked at from the beginning; or with an
/// exception.
enum class Outcome { done, unlike, failed };

/// What a function itself would refuse it says better.
Outcome unlike_or_failed() {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_RuntimeError) &&
        !PyErr_ExceptionMatches(PyExc_AttributeError))
        return Outcome::failed;
    PyErr_Clear();
    return Outcome::unlike;
}

/// The stream that is named, or PyTorch's current one.
bool find_stream(const Calls& calls, PyObject* named, std::int32_t device, void*& stream) {
    Object handle;
    if (named && named != Py_None) {
        handle.reset(PyObject_CallFunctionObjArgs(calls.stream_handle, named, nullptr));
    } else {
        const Object number(PyLong_FromLong(device));
        if (number) handle.reset(PyObject_CallFunctionObjArgs(torch().raw_stream.get(), number.get(), nullptr));
    }
    if (!handle) return false;
    stream = PyLong_AsVoidPtr(handle.get());
    return !PyErr_Occurred();
}

/// Appends the outputs that the call makes.
bool make_outputs(const Kept& kept, Likeness& call) {
    const Py_ssize_t count = PySequence_Size(kept.made.get());
    for (Py_ssize_t k = 0; k < count; ++k) {
        const Object how(PySequence_GetItem(kept.made.get(), k));
        PyObject *given, *options;
        if (!how || !PyArg_ParseTuple(how.get(), "OO", &given, &options)) return false;
        Object made(PyObject_Call(torch().empty_strided.get(), given, options));
        if (!made || !address_of(made.get(), call.addresses.emplace_back())) return false;
        call.tensors.push_back(std::move(made));
    }
    return true;
}

/// Makes the arrays whose length is known now, and calls the function that fills them.
Outcome fill_sized(const Kept& kept, std::vector<std::uint64_t>& words, void* stream, std::vector<Object>& outputs) {
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
        Object made(PyObject_Call(torch().empty_strided.get(), given.get(), options));
        if (!made || !address_of(made.get(), words[sized.words[k]])) return Outcome::failed;
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
    if (!is_tuple && !PyList_CheckExact(form)) return Object(PyObject_CallMethod(form, "copy", nullptr));
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
Outcome call_again(const Calls& calls, const Kept& kept, Likeness& call, PyObject* named, Object& result) {
    void* stream = nullptr;
    if (!find_stream(calls, named, kept.device, stream) || !make_outputs(kept, call)) return unlike_or_failed();
    if (call.tensors.size() != kept.spans.size() || kept.may_overlap(call.addresses)) return Outcome::unlike;
    std::vector<std::uint64_t> words;
    kept.fill(words, call.addresses);
    std::int32_t status;
    Py_BEGIN_ALLOW_THREADS;
    status = kept.run(kept.function, words, stream);
    Py_END_ALLOW_THREADS;
    if (status != 0) return Outcome::unlike;
    std::vector<Object> outputs;
    for (const std::size_t array : kept.written) outputs.push_back(own(call.tensors[array].get()));
    if (kept.told >= 0) {
        outputs.emplace_back(PyLong_FromLongLong(static_cast<long long>(words[static_cast<std::size_t>(kept.told)])));
        if (!outputs.back()) return Outcome::failed;
    }
    if (kept.sized.function) {
        const Outcome filled = fill_sized(kept, words, stream, outputs);
        if (filled != Outcome::done) return filled;
    }
    result = result_of(kept.form.get(), outputs);
    return result ? Outcome::done : Outcome::failed;
}

/// Adds the arguments to what the call must be like; of the stream only whether one is named.
bool add_arguments(PyObject* given, PyObject* options, PyObject*& stream, Likeness& call) {
    const Py_ssize_t count = PyTuple_Size(given);
    for (Py_ssize_t k = 0; k < count; ++k)
        if (!call.add(PyTuple_GetItem(given, k))) return false;
    PyObject *name, *value;
    for (Py_ssize_t at = 0; PyDict_Next(options, &at, &name, &value);) {
        if (!call.add_name(name)) return false;
        const bool is_stream = PyObject_RichCompareBool(name, names.stream, Py_EQ) == 1;
        if (is_stream) stream = value;
        if (!call.add(is_stream && value != Py_None ? Py_True : value)) return false;
    }
    return true;
}

/// Looks for such a call and makes it again. `key` is null where such calls are not kept.
Outcome find_call(const Calls& calls, PyObject* given, PyObject* options, Likeness& call, Object& key, Object& result) {
    PyObject* stream = nullptr;
    if (!add_arguments(given, options, stream, call)) return unlike_or_failed();
    key = call.key();
    if (!key) return Outcome::failed;
    PyObject* const known = PyDict_GetItemWithError(calls.kept, key.get());
    if (!known) return unlike_or_failed();
    const Object alive = own(known);  // a call of another thread's may drop all that are kept
    const auto* const kept = static_cast<const Kept*>(PyCapsule_GetPointer(known, Kept::kName));
    if (!kept) return Outcome::failed;
    const std::size_t of_arguments = call.tensors.size();
    const Outcome outcome = call_again(calls, *kept, call, stream, result);
    call.tensors.resize(of_arguments);
    return outcome;
}

/// look(key, tensors, given, options): calls the function and keeps the call.
PyObject* look(const Calls& calls, PyObject* key, const Likeness& call, PyObject* given, PyObject* options) {
    const Object tensors(PyList_New(static_cast<Py_ssize_t>(call.tensors.size())));
    if (!tensors) return nullptr;
    for (std::size_t k = 0; k < call.tensors.size(); ++k)
        PyList_SetItem(tensors.get(), static_cast<Py_ssize_t>(k), Py_NewRef(call.tensors[k].get()));
    return PyObject_CallFunctionObjArgs(calls.look, key, tensors.get(), given, options, nullptr);
}

/// call(torch, given, options): what function(*given, **options) gives back.
PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    const Calls& calls = *reinterpret_cast<Calls*>(self);
    if (count != 3 || !PyTuple_Check(arguments[1]) || !PyDict_Check(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "call(torch, given, options)");
        return nullptr;
    }
    PyObject *const module = arguments[0], *const given = arguments[1], *const options = arguments[2];
    if (!torch().is(module) && !torch().look_at(module)) return nullptr;
    Likeness like(calls.array);
    Object key, result;
    switch (find_call(calls, given, options, like, key, result)) {
        case Outcome::done: return result.release();
        case Outcome::failed: return nullptr;
        case Outcome::unlike: break;
    }
    if (key && !like.tensors.empty()) return look(calls, key.get(), like, given, options);
    return PyObject_Call(calls.function, given, options);
}

/// Calls(kept, function, look, stream_handle, the type of NumPy's arrays)
int initialise(PyObject* self, PyObject* arguments, PyObject*) {
    Calls& calls = *reinterpret_cast<Calls*>(self);
    PyObject *kept, *function, *look_at, *stream_handle, *array;
    if (!PyArg_ParseTuple(arguments, "O!OOOO:Calls", &PyDict_Type, &kept, &function, &look_at, &stream_handle, &array))
        return -1;
    calls.kept = Py_NewRef(kept);
    calls.function = Py_NewRef(function);
    calls.look = Py_NewRef(look_at);
    calls.stream_handle = Py_NewRef(stream_handle);
    calls.array = Py_NewRef(array);
    return 0;
}

void deallocate(PyObject* self) {
    const Calls& calls = *reinterpret_cast<Calls*>(self);
    for (PyObject* const each : {calls.kept, calls.function, calls.look, calls.stream_handle, calls.array})
        Py_XDECREF(each);
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

bool make_names() {
    const std::pair<PyObject**, const char*> all[] = {
        {&names.dtype, "dtype"},           {&names.shape, "shape"},     {&names.stride, "stride"},
        {&names.get_device, "get_device"}, {&names.is_neg, "is_neg"},   {&names.requires_grad, "requires_grad"},
        {&names.data_ptr, "data_ptr"},     {&names.stream, "stream"},   {&names.nbytes, "nbytes"},
        {&names.hasobject, "hasobject"},   {&names.tobytes, "tobytes"}, {&names.likeness, "_likeness"}};
    for (const auto& [name, text] : all)
        if (!(*name = PyUnicode_InternFromString(text))) return false;
    return true;
}

}  // namespace

PyMODINIT_FUNC PyInit__repeated() {
    Object module(PyModule_Create(&module_of_calls));
    if (!module || !make_names()) return nullptr;
    const Object type(PyType_FromSpec(&type_of_calls));
    if (!type || PyModule_AddObjectRef(module.get(), "Calls", type.get()) != 0) return nullptr;
    return module.release();
}
