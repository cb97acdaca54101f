// A load whose value is only moved: the code that follows it puts the value elsewhere as it is, or nowhere, and never
// computes with it, compares it, or takes it for an address.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace lanework {

struct MovedValue {
    /// False where anything else may happen to the value, and where the code is not understood.
    bool only_moved = false;
    /// Of the stores that may put it into memory, where their hooks return to.
    std::vector<std::uint64_t> stores;

    bool is_stored_by(std::uint64_t pc) const;
};

/// What a kernel calls.
enum class Callee {
    store_hook,  ///< ahead of a store
    hook,        ///< any other, of two arguments at most, whose code it is known not to look at more
    other,
};

/// Of the load whose hook returns to this offset into the code. `called` says what a call to an offset leads to.
MovedValue moved_value(std::span<const std::uint8_t> code, std::size_t load,
                       const std::function<Callee(std::int64_t)>& called);
/// The same of the loaded program's code. On processors other than x86-64 no value is known to be moved.
MovedValue moved_value_of_program(std::uint64_t load);

}  // namespace lanework
