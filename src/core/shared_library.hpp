// A shared library that is looked for when the program runs, so that the program starts without it.
#pragma once

#include <span>
#include <string>

namespace lanework {

class SharedLibrary {
public:
    /// Opens the first of the names that can be opened ("libcublas.so.13"); is empty when none can.
    explicit SharedLibrary(std::span<const char* const> names);
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;
    ~SharedLibrary();

    explicit operator bool() const { return handle_ != nullptr; }
    /// The name that was opened.
    const std::string& name() const { return name_; }
    /// Why none of the names could be opened, in one line; empty when one was.
    const std::string& reason() const { return reason_; }

    /// The function of this name as a pointer of type Function (void (*)(int)); null when the library has none.
    template <class Function>
    Function function(const char* symbol) const {
        return reinterpret_cast<Function>(find(symbol));
    }

private:
    void* find(const char* symbol) const;

    void* handle_ = nullptr;
    std::string name_;
    std::string reason_;
};

}  // namespace lanework
