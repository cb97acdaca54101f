// The exceptions that public functions throw; each message says what is wrong, where, and what would be right.
#pragma once

#include <stdexcept>
#include <string>

namespace lanework {

/// A bad argument: a name that does not exist, a shape that does not fit, a size that overflows. Exit status 2.
class UsageError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A file that cannot be read, understood or written. Exit status 6.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A device refused a call or a launch, or a kernel failed. Exit status 4.
class DeviceError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Nothing here can do what was asked: no such device, or a rung that refuses. Exit status 77.
class UnavailableError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lanework
