// Turns: calls that share something, as those of one list with a skin, are made one after the other. A lock of Python's
// would do, and take a microsecond of a call that is made again.
#pragma once

#include <chrono>
#include <mutex>
#include <new>

#include "python/native/tensors.hpp"

namespace lanework::repeated {

/// An object of Python's: `with turn:` has it, and so has a HeldTurn.
struct Turn {
    PyObject ob_base;
    std::timed_mutex* mutex;
    bool taken;  ///< changed by who has it

    /// Waits until nobody has it. False: a signal's handler has raised an exception.
    bool take() {
        using namespace std::chrono_literals;
        bool now = mutex->try_lock();
        while (!now) {
            Py_BEGIN_ALLOW_THREADS;
            now = mutex->try_lock_for(50ms);
            Py_END_ALLOW_THREADS;
            if (!now && PyErr_CheckSignals() != 0) return false;
        }
        return taken = true;
    }
    void give_back() {
        taken = false;
        mutex->unlock();
    }

    /// The type, with which the module makes turns; null: an exception is set.
    static PyObject* make_type() {
        static PyMethodDef methods[] = {
            {"__enter__", enter, METH_NOARGS, nullptr}, {"__exit__", exit, METH_VARARGS, nullptr}, {}};
        static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                                      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                                      {Py_tp_methods, methods},
                                      {}};
        static PyType_Spec spec = {"lanework._repeated.Turn", sizeof(Turn), 0, Py_TPFLAGS_DEFAULT, slots};
        return PyType_FromSpec(&spec);
    }

private:
    static Turn& of(PyObject* self) { return *reinterpret_cast<Turn*>(self); }
    static PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
        PyObject* const self = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
        if (self && !(of(self).mutex = new (std::nothrow) std::timed_mutex)) {
            Py_DECREF(self);
            return PyErr_NoMemory();
        }
        return self;
    }
    static void deallocate(PyObject* self) {
        delete of(self).mutex;
        PyTypeObject* const type = Py_TYPE(self);
        reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
        Py_DECREF(type);
    }
    static PyObject* enter(PyObject* self, PyObject*) { return of(self).take() ? Py_NewRef(self) : nullptr; }
    static PyObject* exit(PyObject* self, PyObject*) {
        if (!of(self).taken) {
            PyErr_SetString(PyExc_RuntimeError, "a turn that nobody has is given back");
            return nullptr;
        }
        of(self).give_back();
        return Py_NewRef(Py_None);
    }
};

/// Has a turn, if there is one, from begin() until this ends.
class HeldTurn {
public:
    HeldTurn() = default;
    HeldTurn(const HeldTurn&) = delete;
    HeldTurn& operator=(const HeldTurn&) = delete;
    ~HeldTurn() {
        if (held_) held_->give_back();
    }
    /// False: an exception is set.
    bool begin(PyObject* turn) {
        if (!turn) return true;
        auto* const wanted = reinterpret_cast<Turn*>(turn);
        if (!wanted->take()) return false;
        held_ = wanted;
        return true;
    }

private:
    Turn* held_ = nullptr;
};

}  // namespace lanework::repeated
