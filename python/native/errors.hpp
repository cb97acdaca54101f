// What is thrown, for languages that call C: the kinds of errors. python/lanework/library.py has the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <exception>
#include <lanework/memory_error.hpp>
#include <new>

extern "C" {
enum lanework_error : int32_t { lanework_ok = 0, lanework_usage = 1, lanework_memory = 2, lanework_failure = 3 };
}

namespace lanework::native {

inline lanework_error kind_of(const std::exception& error) {
    if (dynamic_cast<const UsageError*>(&error)) return lanework_usage;
    if (dynamic_cast<const MemoryError*>(&error) || dynamic_cast<const std::bad_alloc*>(&error)) return lanework_memory;
    return lanework_failure;
}

/// In words: those of the standard library name a type.
inline const char* words_of(const std::exception& error) {
    return dynamic_cast<const std::bad_alloc*>(&error) ? "out of memory" : error.what();
}

/// What was wrong in this thread's last call of guarded() that failed: lanework_message() gives it.
inline thread_local char message[512];

/// Runs body(). What it throws becomes a kind and the message.
template <class Body>
lanework_error guarded(const Body& body) noexcept {
    try {
        body();
        return lanework_ok;
    } catch (const std::exception& error) {
        std::strncpy(message, words_of(error), sizeof(message) - 1);
        return kind_of(error);
    }
}

}  // namespace lanework::native
