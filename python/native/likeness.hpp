// What a call must be like to be one that was made before: all of its arguments but what tensors hold, and where.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "python/native/tensors.hpp"

namespace lanework::repeated {

/// Types of NumPy's arrays that hold no objects. The one that was seen last is known: programs have few.
class PlainTypes {
public:
    /// Of an element; 0 of a type of objects. Negative: an exception is set.
    Py_ssize_t bytes_of(PyObject* dtype) {
        if (dtype == last_.get()) return bytes_;
        const Object objects(PyObject_GetAttr(dtype, names.hasobject));
        const Object bytes(objects ? PyObject_GetAttr(dtype, names.itemsize) : nullptr);
        if (!bytes) return -1;
        if (objects.get() != Py_False) return 0;
        last_ = own(dtype);
        return bytes_ = PyLong_AsSsize_t(bytes.get());
    }

private:
    Object last_;
    Py_ssize_t bytes_ = 0;
};
inline PlainTypes& plain_types() {
    static auto& one = *new PlainTypes;  // never destroyed: interpreters end in any order
    return one;
}

/// Of one call; its memory is in the frame of whom it is a variable.
class Likeness {
    std::array<std::byte, 4096> room_;
    std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};

public:
    struct Array {
        Object tensor;
        Memory memory;  ///< instead of a tensor, where nobody is given it
        std::uint64_t address = 0;
    };

    /// numpy_array: the type of NumPy's arrays.
    explicit Likeness(PyObject* numpy_array) : numpy_array_(numpy_array) {
        key_.reserve(room_.size() / 4);
        arrays.reserve(16);
        named.reserve(16);
    }

    std::pmr::memory_resource* memory() { return &memory_; }
    std::string_view key() const { return key_; }

    std::pmr::vector<Array> arrays{&memory_};  ///< the tensors, in their order; and then those that the call makes
    std::pmr::vector<Object> named{&memory_};  ///< what the key has the addresses of
    PyObject* stream = nullptr;                ///< what is named; the key only has that one is

    /// False where such a call is not kept; then an exception may be set.
    bool add_arguments(PyObject* given, PyObject* options) {
        const Py_ssize_t count = PyTuple_Size(given);
        append_value(key_, count);
        for (Py_ssize_t k = 0; k < count; ++k)
            if (!add(PyTuple_GetItem(given, k))) return false;
        PyObject *name, *value;
        for (Py_ssize_t at = 0; PyDict_Next(options, &at, &name, &value);) {
            const std::string_view text = add_text(name);
            if (text.empty()) return false;
            if (text == "stream" && value != Py_None) stream = value, value = Py_True;
            if (!add(value)) return false;
        }
        return true;
    }

private:
    /// What kind an argument is of: 1, 1.0 and True are three.
    enum class Kind : char { none, no, yes, whole, real, text, tuple, list, tensor, array, type, other };

    bool add(PyObject* value) {
        if (value == Py_None) return add_kind(Kind::none);
        if (value == Py_False) return add_kind(Kind::no);
        if (value == Py_True) return add_kind(Kind::yes);
        PyTypeObject* const type = Py_TYPE(value);
        auto* const kind = reinterpret_cast<PyObject*>(type);
        if (torch().is_tensor(kind)) return add_kind(Kind::tensor) && add_tensor(value);
        if (type == &PyLong_Type) return add_kind(Kind::whole) && add_whole(value);
        if (type == &PyFloat_Type) return add_kind(Kind::real) && add_real(PyFloat_AsDouble(value));
        if (type == &PyUnicode_Type) return add_kind(Kind::text) && add_text(value).data();
        if (type == &PyTuple_Type) return add_kind(Kind::tuple) && add_sequence(value);
        if (type == &PyList_Type) return add_kind(Kind::list) && add_sequence(value);
        if (kind == numpy_array_) return add_kind(Kind::array) && add_array(value);
        if (type == &PyType_Type) return add_kind(Kind::type) && add_address(own(value));
        const Object itself(PyObject_GetAttr(value, names.likeness));  // of what says so itself
        return itself && add_kind(Kind::other) && add_address(own(kind)) && add_whole(itself.get());
    }

    bool add_kind(Kind kind) {
        append_value(key_, kind);
        return true;
    }
    bool add_address(Object of) {
        if (!of) return false;
        append_value(key_, of.get());
        named.push_back(std::move(of));
        return true;
    }
    bool add_whole(PyObject* value) {
        int overflows;
        append_value(key_, PyLong_AsLongLongAndOverflow(value, &overflows));
        return overflows == 0 && !PyErr_Occurred();
    }
    /// By its bits: 0.0 and −0.0 are two.
    bool add_real(double value) {
        append_value(key_, value);
        return true;
    }
    /// The text, or nothing where it is none that UTF-8 can say.
    std::string_view add_text(PyObject* value) {
        Py_ssize_t bytes;
        const char* const text = PyUnicode_AsUTF8AndSize(value, &bytes);
        if (!text) return PyErr_Clear(), std::string_view();
        append_value(key_, bytes);
        append(key_, text, static_cast<std::size_t>(bytes));
        return {text, static_cast<std::size_t>(bytes)};
    }
    bool add_sequence(PyObject* sequence) {
        if (Py_EnterRecursiveCall(" in a list of arguments") != 0) return false;  // one may hold itself
        const bool added = add_items(sequence);
        Py_LeaveRecursiveCall();
        return added;
    }
    bool add_items(PyObject* sequence) {
        const Py_ssize_t count = PySequence_Size(sequence);
        append_value(key_, count);
        for (Py_ssize_t k = 0; k < count; ++k) {
            const Object item(PySequence_GetItem(sequence, k));
            if (!item || !add(item.get())) return false;
        }
        return true;
    }

    /// DLPack says the same of types that PyTorch tells apart, and nothing of what would refuse the tensor.
    bool add_tensor(PyObject* tensor) {
        if (!torch().is_plain(tensor)) return false;
        Array& array = arrays.emplace_back();
        array.tensor = own(tensor);
        bool says_type = false;
        return torch().look(tensor, key_, array.address, says_type) &&
               (says_type || add_address(Object(PyObject_GetAttr(tensor, names.dtype))));
    }

    /// A small array of NumPy's, by what it holds.
    bool add_array(PyObject* array) {
        constexpr Py_ssize_t kMostBytes = 1024;
        Object dtype(PyObject_GetAttr(array, names.dtype));
        const Object shape(dtype ? PyObject_GetAttr(array, names.shape) : nullptr);
        Py_ssize_t bytes = dtype ? plain_types().bytes_of(dtype.get()) : 0;
        if (bytes <= 0 || !append_lengths(key_, shape.get())) return false;
        for (Py_ssize_t k = 0; k < PyTuple_Size(shape.get()); ++k)
            if (__builtin_mul_overflow(bytes, PyLong_AsSsize_t(PyTuple_GetItem(shape.get(), k)), &bytes)) return false;
        if (bytes > kMostBytes || !add_address(std::move(dtype))) return false;
        const Object held(PyObject_CallMethodObjArgs(array, names.tobytes, nullptr));
        char* text;
        Py_ssize_t length;
        if (!held || PyBytes_AsStringAndSize(held.get(), &text, &length) != 0) return false;
        append(key_, text, static_cast<std::size_t>(length));
        return true;
    }

    PyObject* numpy_array_;
    Key key_{&memory_};
};

}  // namespace lanework::repeated
