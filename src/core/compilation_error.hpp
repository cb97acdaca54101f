// The exception for code that does not compile.
#pragma once

#include <stdexcept>

namespace lanework {

/// A kernel or a program does not compile; the message has the compiler's words. Exit status 3.
class CompilationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lanework
