// Tensors of PyTorch's, as calls that are made again look at them: by DLPack's functions in C, which PyTorch has since
// 2.10, or by attributes of Python's, which takes three times as long.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <type_traits>
#include <utility>

namespace lanework::repeated {

struct Release {
    void operator()(PyObject* object) const { Py_XDECREF(object); }
};
/// A reference of one's own. Null: an exception is set.
using Object = std::unique_ptr<PyObject, Release>;

inline Object own(PyObject* borrowed) { return Object(Py_NewRef(borrowed)); }

/// Names of attributes, made once.
struct Names {
    PyObject *copy, *data_ptr, *dtype, *get_device, *hasobject, *is_neg, *itemsize, *likeness, *requires_grad, *resize,
        *shape, *stride, *tobytes, *torch;

    bool make() {
        const std::pair<PyObject**, const char*> all[] = {{&copy, "copy"},
                                                          {&data_ptr, "data_ptr"},
                                                          {&dtype, "dtype"},
                                                          {&get_device, "get_device"},
                                                          {&hasobject, "hasobject"},
                                                          {&is_neg, "is_neg"},
                                                          {&itemsize, "itemsize"},
                                                          {&likeness, "_likeness"},
                                                          {&requires_grad, "requires_grad"},
                                                          {&resize, "resize_"},
                                                          {&shape, "shape"},
                                                          {&stride, "stride"},
                                                          {&tobytes, "tobytes"},
                                                          {&torch, "torch"}};
        for (const auto& [name, text] : all)
            if (!(*name = PyUnicode_InternFromString(text))) return false;
        return true;
    }
};
inline Names names;

/// What a call is like, as bytes.
using Key = std::pmr::string;

template <class T>
void append(Key& key, const T* values, std::size_t count = 1) {
    static_assert(std::is_trivially_copyable_v<T>);
    key.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}
template <class T>
void append_value(Key& key, const T& value) {
    append(key, &value);
}

/// The lengths of a tuple, and before them how many.
inline bool append_lengths(Key& key, PyObject* lengths) {
    if (!lengths || !PyTuple_Check(lengths)) return false;
    const Py_ssize_t count = PyTuple_Size(lengths);
    append_value(key, count);
    for (Py_ssize_t k = 0; k < count; ++k) append_value(key, PyLong_AsLongLong(PyTuple_GetItem(lengths, k)));
    return !PyErr_Occurred();
}

/// What DLPack's specification says of its functions in C, as far as it is read here.
namespace dlpack {
constexpr std::uint32_t kMajor = 1;
constexpr std::int32_t kCuda = 2;
constexpr std::uint8_t kSigned = 0, kUnsigned = 1;

struct Tensor {
    void* data;
    std::int32_t device_type, device, axes;
    std::uint8_t kind, bits;
    std::uint16_t lanes;
    std::int64_t *lengths, *steps;  ///< elements; they are the tensor's
    std::uint64_t byte_offset;
};

struct Managed {
    std::uint32_t major, minor;
    void* context;
    void (*release)(Managed* itself);  ///< may be null
    std::uint64_t flags;
    Tensor tensor;
};

/// Functions give 0, or set an exception.
struct Exchange {
    using Refuse = void (*)(void* context, const char* kind, const char* message);

    std::uint32_t major, minor;
    const void* previous;
    int (*allocate)(const Tensor* like, Managed** made, void* context, Refuse refuse);
    const void *managed_of_object, *object_of_managed;
    int (*tensor_of_object)(void* object, Tensor*);  ///< may be null
    int (*current_stream)(std::int32_t device_type, std::int32_t device, void** stream);
};
}  // namespace dlpack

struct ReleaseMemory {
    void operator()(dlpack::Managed* memory) const {
        if (memory->release) memory->release(memory);
    }
};
/// Memory of a GPU's, for work on the stream that is current.
using Memory = std::unique_ptr<dlpack::Managed, ReleaseMemory>;

/// PyTorch: of the module that was seen last, since programs have one, tests several.
class Torch {
public:
    /// Whether the program has imported one that can be looked at.
    bool is_there() {
        PyObject* const found = PyDict_GetItemWithError(PyImport_GetModuleDict(), names.torch);
        if (!found) return false;
        if (module_.get() == found || look_at(found)) return true;
        PyErr_Clear();  // in the middle of its import, or a build without CUDA
        module_.reset();
        return false;
    }
    bool is_tensor(PyObject* kind) const { return kind == tensor_.get(); }

    /// Whether it requires no gradient and is no negative of what lies in memory. Else false; then an exception may be
    /// set.
    bool is_plain(PyObject* tensor) const {
        const Object gradient(get_gradient_(requires_grad_.get(), tensor, tensor_.get()));
        if (gradient.get() != Py_False) return false;
        const Object negative(PyObject_CallFunctionObjArgs(is_neg_.get(), tensor, nullptr));
        return negative.get() == Py_False;
    }
    /// Appends how a tensor that lies on a GPU does; says_type: and of what type it is, which DLPack does not tell of
    /// PyTorch's small integers. Else false; then an exception may be set.
    bool look(PyObject* tensor, Key& key, std::uint64_t& address, bool& says_type) const {
        if (!exchange_) return look_by_attributes(tensor, key, address);
        dlpack::Tensor there;
        if (!view(tensor, there, address) || there.device_type != dlpack::kCuda) return false;
        const auto axes = static_cast<std::size_t>(there.axes);
        const bool is_whole = there.kind == dlpack::kSigned || there.kind == dlpack::kUnsigned;
        says_type = !is_whole || there.bits > 8;
        append_value(key, there.kind);
        append_value(key, there.bits);
        append_value(key, there.lanes);
        append_value(key, there.device);
        append_value(key, there.axes);
        append(key, there.lengths, axes);
        append(key, there.steps, axes);
        return true;
    }

    bool address_of(PyObject* tensor, std::uint64_t& address) const {
        if (dlpack::Tensor there; exchange_) return view(tensor, there, address);
        const Object number(PyObject_CallMethodObjArgs(tensor, names.data_ptr, nullptr));
        if (!number) return false;
        address = PyLong_AsUnsignedLongLong(number.get());
        return !PyErr_Occurred();
    }

    /// The stream that is current on this GPU.
    bool current_stream(std::int32_t device, void*& stream) const {
        if (exchange_) return exchange_->current_stream(dlpack::kCuda, device, &stream) == 0;
        const Object number(PyLong_FromLong(device));
        const Object handle(number ? PyObject_CallFunctionObjArgs(raw_stream_.get(), number.get(), nullptr) : nullptr);
        if (!handle) return false;
        stream = PyLong_AsVoidPtr(handle.get());
        return !PyErr_Occurred();
    }

    /// given: lengths and steps; options: what it holds, and where.
    Object empty_strided(PyObject* given, PyObject* options) const {
        return Object(PyObject_Call(empty_strided_.get(), given, options));
    }

    bool gives_memory() const { return exchange_; }
    /// Null: an exception is set.
    Memory allocate(std::uint64_t bytes, std::int32_t device, std::uint64_t& address) const {
        auto length = static_cast<std::int64_t>(bytes);
        std::int64_t step = 1;
        const dlpack::Tensor like{nullptr, dlpack::kCuda, device, 1, dlpack::kUnsigned, 8, 1, &length, &step, 0};
        const auto refuse = [](void*, const char*, const char* message) {
            PyErr_SetString(PyExc_RuntimeError, message);
        };
        dlpack::Managed* made = nullptr;
        if (exchange_->allocate(&like, &made, nullptr, refuse) != 0) return nullptr;
        address = address_in(made->tensor);
        return Memory(made);
    }

private:
    bool look_at(PyObject* module) {
        tensor_.reset(PyObject_GetAttrString(module, "Tensor"));
        empty_strided_.reset(PyObject_GetAttrString(module, "empty_strided"));
        if (!tensor_ || !empty_strided_) return false;
        requires_grad_.reset(PyObject_GetAttr(tensor_.get(), names.requires_grad));
        is_neg_.reset(PyObject_GetAttr(tensor_.get(), names.is_neg));
        if (!requires_grad_ || !is_neg_) return false;
        void* const get = PyType_GetSlot(Py_TYPE(requires_grad_.get()), Py_tp_descr_get);
        if (!get) return false;
        get_gradient_ = reinterpret_cast<descrgetfunc>(get);
        exchange_ = exchange_of(tensor_.get());
        if (!exchange_) {
            const Object inner(PyObject_GetAttrString(module, "_C"));
            raw_stream_.reset(inner ? PyObject_GetAttrString(inner.get(), "_cuda_getCurrentRawStream") : nullptr);
            if (!raw_stream_) return false;
        }
        module_ = own(module);
        return true;
    }
    static const dlpack::Exchange* exchange_of(PyObject* type) {
        const Object capsule(PyObject_GetAttrString(type, "__dlpack_c_exchange_api__"));
        const void* const found = capsule ? PyCapsule_GetPointer(capsule.get(), "dlpack_exchange_api") : nullptr;
        PyErr_Clear();
        const auto* const exchange = static_cast<const dlpack::Exchange*>(found);
        return exchange && exchange->major == dlpack::kMajor && exchange->tensor_of_object ? exchange : nullptr;
    }

    static std::uint64_t address_in(const dlpack::Tensor& tensor) {
        return reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
    }
    bool view(PyObject* tensor, dlpack::Tensor& there, std::uint64_t& address) const {
        if (exchange_->tensor_of_object(tensor, &there) != 0) return false;
        address = address_in(there);
        return true;
    }
    bool look_by_attributes(PyObject* tensor, Key& key, std::uint64_t& address) const {
        const Object device(PyObject_CallMethodObjArgs(tensor, names.get_device, nullptr));
        const long long number = device ? PyLong_AsLongLong(device.get()) : -1;
        if (number < 0) return false;
        append_value(key, number);
        const Object lengths(PyObject_GetAttr(tensor, names.shape));
        const Object steps(PyObject_CallMethodObjArgs(tensor, names.stride, nullptr));
        return append_lengths(key, lengths.get()) && append_lengths(key, steps.get()) && address_of(tensor, address);
    }

    Object module_, tensor_, empty_strided_;
    Object requires_grad_, is_neg_;  ///< of its type, found once
    descrgetfunc get_gradient_ = nullptr;
    const dlpack::Exchange* exchange_ = nullptr;
    Object raw_stream_;  ///< where there is no exchange
};

inline Torch& torch() {
    static auto& one = *new Torch;  // never closed: interpreters end in any order
    return one;
}

}  // namespace lanework::repeated
