// Which atomic functions there are for which types, with what arguments they are called, and what is right after that.
#include "ops/atomics/operation.hpp"

#include <algorithm>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace lanework {
namespace {

/// What exists() says about the function, in words.
std::string_view types_in_words(AtomicFunction function) {
    switch (function) {
        case AtomicFunction::add: return "atomicAdd exists for int32, uint32, uint64 and floats of 16 to 64 bits only";
        case AtomicFunction::sub: return "atomicSub exists for int32 and uint32 only";
        case AtomicFunction::exch: return "atomicExch exists for int32, uint32, uint64 and float32 only";
        case AtomicFunction::min: return "atomicMin exists for int32, uint32, int64 and uint64 only";
        case AtomicFunction::max: return "atomicMax exists for int32, uint32, int64 and uint64 only";
        case AtomicFunction::inc: return "atomicInc exists for uint32 only";
        case AtomicFunction::dec: return "atomicDec exists for uint32 only";
        case AtomicFunction::cas: return "atomicCAS exists for uint16, int32, uint32 and uint64 only";
        case AtomicFunction::bit_and: return "atomicAnd exists for int32, uint32 and uint64 only";
        case AtomicFunction::bit_or: return "atomicOr exists for int32, uint32 and uint64 only";
        case AtomicFunction::bit_xor: return "atomicXor exists for int32, uint32 and uint64 only";
    }
    return {};
}

// Floats are added as integers of at most 8 (and begin below 1000): sums of so many stay below 2^24, exact in any
// order.
constexpr std::int64_t kMostFloats = 1 << 20;
// Halves are added as −1, 0 and 1 (and begin below 100): sums of so many stay below 2^11 and 2^8, the integers that
// their 11 and 8 bits hold.
constexpr std::int64_t kMostHalves = 1024, kMostBrainHalves = 128;

}  // namespace

std::string_view refuse_call(const Problem& p) {
    const auto function = static_cast<AtomicFunction>(p.variant);
    if (!exists(function, p.dtype)) return types_in_words(function);
    const auto [calls, per_cell] = p.lengths<AtomicsAxes>();
    if (per_cell < 1) return "each cell needs at least one call: the second length must be 1 or more";
    if (calls >= std::int64_t{1} << 31)
        return "2147483647 calls are the most: with one on each cell, each takes a block";
    if (function == AtomicFunction::add && p.dtype == DType::float32 && per_cell > kMostFloats)
        return "beyond 1048576 additions to one float the order of calls shows in the last bits";
    if (p.dtype == DType::float16 && per_cell > kMostHalves)
        return "beyond 1024 additions to one half the order of calls shows in the last bits";
    if (p.dtype == DType::bfloat16 && per_cell > kMostBrainHalves)
        return "beyond 128 additions to one bfloat16 the order of calls shows in the last bits";
    return {};
}

}  // namespace lanework

namespace {

constexpr std::string_view kVariants[] = {"add", "sub", "exch", "min", "max", "inc", "dec", "cas", "and", "or", "xor"};
// One call on each cell, which is the plain meaning of the function; all calls on one cell; cells that end inside a
// warp, inside a block, and that several blocks share.
constexpr Extents kVerified[] = {extents(0, 1),     extents(1, 1),   extents(40, 1),     extents(33, 33),
                                 extents(257, 100), extents(300, 7), extents(2049, 512), extents(1031, 1031)};
// A call that compares and swaps tries again whenever another was first: of 4099 on one cell millions.
constexpr Extents kVerifiedByHardware[] = {extents(4099, 4099)};
// The last is for halves, whose sums are exact on so few calls a cell alone.
constexpr Extents kCuda[] = {extents(1 << 24, 1 << 12), extents(1 << 18, 1 << 18), extents(1 << 24, 1 << 7)};
constexpr Extents kSimt[] = {extents(1 << 14, 1 << 12), extents(1 << 14, 1 << 7)};
constexpr Extents kCpu[] = {extents(1 << 22, 1 << 12), extents(1 << 22, 1 << 7)};

std::size_t calls(const Problem& p) { return static_cast<std::size_t>(p.lengths<AtomicsAxes>().calls); }
std::size_t cells(const Problem& p) {
    const auto [calls, per_cell] = p.lengths<AtomicsAxes>();
    return per_cell > 0 ? static_cast<std::size_t>(ceil_div(calls, per_cell)) : 0;
}

template <class T>
void reference(const AtomicsArgs<T>& a) {
    for (std::int64_t cell = 0; cell < a.cells(); ++cell) {
        T now = a.first[cell];
        const std::int64_t end = std::min(a.calls, (cell + 1) * a.per_cell);
        for (std::int64_t call = cell * a.per_cell; call < end; ++call) now = after(a.function, now, a.values[call]);
        a.final[cell] = order_decides(a.function) ? a.first[cell] : now;
        a.ledger[cell] = mixed(a.first[cell]);
    }
}

template <class T>
T half_of(float value) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(value);
    else
        return to_bfloat16(value);
}

/// The argument of a call, from random bits of its own and of its cell.
template <class T>
T value_of(const Problem& p, std::uint64_t own, std::uint64_t of_cell) {
    if constexpr (kHolds<T>) {
        return half_of<T>(static_cast<float>(own % 3) - 1);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(static_cast<std::int64_t>(own % 17) - 8);
    } else {
        const auto bit = std::uint64_t{1} << own % (8 * sizeof(T));
        switch (static_cast<AtomicFunction>(p.variant)) {
            // One bound for all calls on a cell, or their order would show; low enough to be passed, often.
            case AtomicFunction::inc:
            case AtomicFunction::dec:
                return static_cast<T>(of_cell % (2 * static_cast<std::uint64_t>(p.lengths<AtomicsAxes>().per_cell)));
            // One bit at a time, of half of the bits, so that cells do not all end full or empty.
            case AtomicFunction::bit_and: return static_cast<T>(~(bit & of_cell));
            case AtomicFunction::bit_or: return static_cast<T>(bit & of_cell);
            default: return static_cast<T>(own);
        }
    }
}

/// Beyond the bound of inc and dec for a third of the cells.
template <class T>
T first_integer(const Problem& p, std::uint64_t random) {
    const auto function = static_cast<AtomicFunction>(p.variant);
    if (function == AtomicFunction::inc || function == AtomicFunction::dec)
        return static_cast<T>(random % (3 * static_cast<std::uint64_t>(p.lengths<AtomicsAxes>().per_cell)));
    return static_cast<T>(random);
}

/// What a cell holds at first.
template <class T>
T first_of(const Problem& p, std::uint64_t random) {
    if constexpr (kHolds<T>)
        return half_of<T>(static_cast<float>(random % 200) - 100);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<std::int64_t>(random % 1000) - 500);
    else
        return first_integer<T>(p, random);
}

template <class T>
void fill_as(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const std::int64_t per_cell = p.lengths<AtomicsAxes>().per_cell;
    const auto [first, values] = b.arrays<T, T>();
    for (std::size_t cell = 0; cell < cells(p); ++cell) first[cell] = first_of<T>(p, random_bits(seed, cell));
    for (std::size_t call = 0; call < calls(p); ++call) {
        const std::size_t cell = per_cell > 0 ? call / static_cast<std::size_t>(per_cell) : 0;
        values[call] = value_of<T>(p, random_bits(~seed, call), random_bits(seed + 1, cell));
    }
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    switch (p.dtype) {
        case DType::uint16: return fill_as<std::uint16_t>(p, seed, b);
        case DType::int32: return fill_as<std::int32_t>(p, seed, b);
        case DType::uint32: return fill_as<std::uint32_t>(p, seed, b);
        case DType::int64: return fill_as<std::int64_t>(p, seed, b);
        case DType::uint64: return fill_as<std::uint64_t>(p, seed, b);
        case DType::float16: return fill_as<float16>(p, seed, b);
        case DType::bfloat16: return fill_as<bfloat16>(p, seed, b);
        case DType::float32: return fill_as<float>(p, seed, b);
        default: return fill_as<double>(p, seed, b);
    }
}

/// Of inc and dec all calls on a cell have one bound.
bool takes_any_integer(const Problem& p) {
    const auto function = static_cast<AtomicFunction>(p.variant);
    return has_integers(p) && function != AtomicFunction::inc && function != AtomicFunction::dec;
}

/// What wraps around, and what changes nothing. Floats that are not small integers are none of them: their sums would
/// depend on the order of calls; and a NaN's bits, which the ledger holds, are not defined.
constexpr Input kInputs[] = {
    {"zeros", "0", in_every_array<patterns::zeros>},
    {"all_ones", "−1", in_every_array<patterns::all_ones>, has_integers},
    {"lowest", "min", in_every_array<patterns::lowest>, has_integers},
    {"largest", "max", in_every_array<patterns::largest>, has_integers},
    {"extremes", "min, max, …", in_every_array<patterns::extremes>, takes_any_integer},
    {"signed_zeros", "+0, −0, …", in_every_array<patterns::signed_zeros>, has_floats},
    {"infinite", "random with an infinity", in_first_array<patterns::one_infinity>, has_floats}};

/// The arguments are read once; one operation for each call.
Work work(const Problem& p) {
    const std::size_t size = size_of(p.dtype);
    return {.bytes_read = size * (calls(p) + cells(p)),
            .bytes_written = (size + sizeof(std::uint64_t)) * cells(p),
            .flops = calls(p)};
}

}  // namespace

LANEWORK_OPERATION(
    atomics,
    {
        .summary =
            "C[i / per_cell] ← f(C[i / per_cell], A[i]) for i = 0 … calls−1 in any order; olds are accounted for",
        .axes = AtomicsAxes::names,
        .variants = kVariants,
        .exists = [](const Problem& p) { return exists(static_cast<AtomicFunction>(p.variant), p.dtype); },
        .verified = kVerified,
        .verified_by_hardware = kVerifiedByHardware,
        .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {{"first", Role::input, p.dtype, cells(p)},
                    {"values", Role::input, p.dtype, calls(p)},
                    {"final", Role::output, p.dtype, cells(p)},
                    {"ledger", Role::output, DType::uint64, cells(p)}};
        },
        .work = work,
        .fill = fill,
        .inputs = kInputs,
        .reference = {reference<std::int32_t>, reference<std::uint32_t>, reference<std::uint64_t>, reference<float>,
                      reference<double>, reference<std::int64_t>, reference<std::uint16_t>, reference<float16>,
                      reference<bfloat16>},
        .tolerance = [](const Problem&) { return Tolerance{.reason = "integers, and floats that hold small ones"}; },
    });
