// Volatile memory, through which the lanes of a warp exchange values in programs that were written before Volta: the
// lanes meet before each access of it, so that every lane has read before one writes, and has written before one reads.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cstdint>
#include <lanework_simt/thread.hpp>
#include <type_traits>

namespace lanework_simt {

/// Before a kernel's access of volatile memory at `place`, a number that grows along the code: waits until the lanes of
/// the warp have come to one, too, wait for something else or have left. Nothing in host code and for a thread's own
/// memory.
void lockstep_at(std::uint64_t place, const volatile void* address);

/// Behind a branch or a loop: waits until no lane of the warp is left in it.
void rejoin(unsigned column, unsigned line = __builtin_LINE());

inline constexpr unsigned kColumns = 4096;

/// What cudafe puts around an access that may be one of volatile memory: the same expression, of the same type.
template <class T>
[[gnu::always_inline]] constexpr T&& lockstep(T&& accessed, unsigned column = 0, unsigned line = __builtin_LINE()) {
    using Accessed = std::remove_reference_t<T>;
    if constexpr (std::is_lvalue_reference_v<T> && std::is_volatile_v<Accessed> && !std::is_array_v<Accessed>)
        lockstep_at(std::uint64_t{line} * kColumns + column, __builtin_addressof(accessed));
    return static_cast<T&&>(accessed);
}

}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
