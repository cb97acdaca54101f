// Atomics: many calls of one atomic function on few cells. What each cell holds in the end is compared, and so is what
// the calls returned, by an argument that needs no order: each returned value is the cell's first one or what exactly
// one other call left there.
#pragma once

#include <bit>
#include <lanework/rung.hpp>
#include <type_traits>

namespace lanework {

/// atomicAdd, atomicSub, atomicExch, atomicMin, atomicMax, atomicInc, atomicDec, atomicCAS, atomicAnd, atomicOr,
/// atomicXor, in the order of the operation's variants. A call of `cas` is a loop around atomicCAS that adds.
enum class AtomicFunction : std::uint8_t { add, sub, exch, min, max, inc, dec, cas, bit_and, bit_or, bit_xor };

LANEWORK_AXES(AtomicsAxes, calls, per_cell);

template <class T>
struct AtomicsArgs {
    using Element = T;
    const T* first;         ///< cells: what each holds before the calls
    const T* values;        ///< calls: the argument of each; call i is made on cell i / per_cell
    T* final;               ///< cells: what each holds after its calls, or `first` where their order would decide
    std::uint64_t* ledger;  ///< cells: the sum of ledger_entry over all its calls, plus mixed(its real final value)
    std::int64_t calls;     ///< may exceed 2^31
    std::int64_t per_cell;  ///< calls on each cell but the last, which may have fewer; at least 1
    AtomicFunction function;
    void* workspace;  ///< the bytes that the rung asked for

    std::int64_t cells() const { return per_cell > 0 ? ceil_div(calls, per_cell) : 0; }

    static AtomicsArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [first, values, final, ledger] = buffers.arrays<const T, const T, T, std::uint64_t>();
        const auto [calls, per_cell] = problem.lengths<AtomicsAxes>();
        return {first,
                values,
                final,
                ledger,
                calls,
                per_cell,
                static_cast<AtomicFunction>(problem.variant),
                buffers.workspace};
    }
};

/// Types that hold, and are computed in float.
template <class T>
inline constexpr bool kHolds = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

/// a + b, modulo 2^bits for integers; of halves rounded once.
template <class T>
constexpr T atomic_sum(T a, T b) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else if constexpr (std::is_same_v<T, float16>)
        return to_float16(to_float(a) + to_float(b));
    else if constexpr (std::is_same_v<T, bfloat16>)
        return to_bfloat16(to_float(a) + to_float(b));
    else
        return a + b;
}

/// What a call leaves in a cell that held `old`: the serial model. 0 for a function that the type does not have.
template <class T>
constexpr T after(AtomicFunction function, T old, T value) {
    switch (function) {
        case AtomicFunction::add:
        case AtomicFunction::cas: return atomic_sum(old, value);
        case AtomicFunction::exch: return value;
        default: break;
    }
    if constexpr (!kHolds<T>) {
        if (function == AtomicFunction::min) return value < old ? value : old;
        if (function == AtomicFunction::max) return value > old ? value : old;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (function) {
            case AtomicFunction::sub:
                return static_cast<T>(static_cast<std::uint64_t>(old) - static_cast<std::uint64_t>(value));
            case AtomicFunction::inc: return old >= value ? T{0} : static_cast<T>(old + 1);
            case AtomicFunction::dec: return old == 0 || old > value ? value : static_cast<T>(old - 1);
            case AtomicFunction::bit_and: return static_cast<T>(old & value);
            case AtomicFunction::bit_or: return static_cast<T>(old | value);
            case AtomicFunction::bit_xor: return static_cast<T>(old ^ value);
            default: break;
        }
    }
    return T{};
}

/// Whether the order of calls decides what is left: which is then not compared, but is in the ledger.
constexpr bool order_decides(AtomicFunction function) { return function == AtomicFunction::exch; }

/// 64 well-mixed bits for a value's own bits (SplitMix64's finalizer).
template <class T>
constexpr std::uint64_t mixed(T value) {
    std::uint64_t z = 0;
    if constexpr (sizeof(T) == 8)
        z = std::bit_cast<std::uint64_t>(value);
    else if constexpr (sizeof(T) == 4)
        z = std::bit_cast<std::uint32_t>(value);
    else if constexpr (kHolds<T>)
        z = value.bits;
    else
        z = static_cast<std::uint64_t>(value);
    z += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/// What a call that returned `old` adds to its cell's ledger: its old value enters, the one it left goes. In any order
/// of the calls each value that one of them left is the old one of the next, and the two cancel; the first value
/// remains, and the final one, which is added at last, also cancels. A lost update, or a value returned twice, remains.
template <class T>
constexpr std::uint64_t ledger_entry(AtomicFunction function, T old, T value) {
    return mixed(old) - mixed(after(function, old, value));
}

/// Whether CUDA has the function for the type (CUDA C++ Programming Guide, "Atomic Functions"). Pairs of halves are a
/// rung's way to add, 128 bits one's to exchange and to swap two words; left out are vectors of floats.
constexpr bool exists(AtomicFunction function, DType type) {
    const bool word = type == DType::int32 || type == DType::uint32, wide = type == DType::uint64;
    switch (function) {
        case AtomicFunction::add:
            return word || wide || type == DType::float32 || type == DType::float64 || type == DType::float16 ||
                   type == DType::bfloat16;
        case AtomicFunction::sub: return word;
        case AtomicFunction::exch: return word || wide || type == DType::float32;
        case AtomicFunction::min:
        case AtomicFunction::max: return word || wide || type == DType::int64;
        case AtomicFunction::inc:
        case AtomicFunction::dec: return type == DType::uint32;
        case AtomicFunction::cas: return word || wide || type == DType::uint16;
        case AtomicFunction::bit_and:
        case AtomicFunction::bit_or:
        case AtomicFunction::bit_xor: return word || wide;
    }
    return false;
}

/// Why there is no such call, or it has no one right answer; empty when it has.
std::string_view refuse_call(const Problem& problem);

}  // namespace lanework

using atomics_signature =
    lanework::Signature<lanework::AtomicsArgs<std::int32_t>, lanework::AtomicsArgs<std::uint32_t>,
                        lanework::AtomicsArgs<std::uint64_t>, lanework::AtomicsArgs<float>,
                        lanework::AtomicsArgs<double>, lanework::AtomicsArgs<std::int64_t>,
                        lanework::AtomicsArgs<std::uint16_t>, lanework::AtomicsArgs<lanework::float16>,
                        lanework::AtomicsArgs<lanework::bfloat16>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
