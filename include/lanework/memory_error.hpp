// The exception for what takes too much memory.
#pragma once

#include <lanework/error.hpp>

namespace lanework {

/// What was asked would take more memory than there is, or than it may take. Exit status 7.
class MemoryError : public UnavailableError {
public:
    using UnavailableError::UnavailableError;
};

}  // namespace lanework
