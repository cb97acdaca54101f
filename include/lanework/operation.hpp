// An operation: what is computed. It names its arguments, reference, problems, tolerance and algorithmic work,
// and knows no clock and no report.
#pragma once

#include <lanework/rung.hpp>
#include <string>
#include <vector>

namespace lanework {

enum class Role : std::uint8_t { input, output };

/// The elements of an array that are rows of something, where others lie between them: row r is the elements
/// begin + r·pitch … begin + r·pitch + length − 1. No rung may write any other.
struct Rows {
    std::size_t begin = 0, length = 0;
    std::size_t pitch = 0;  ///< 0: the whole array is one row

    constexpr bool hold(std::size_t element) const {
        return pitch == 0 || (element >= begin && (element - begin) % pitch < length);
    }
};

/// One array argument: `count` elements of `dtype`.
struct BufferSpec {
    std::string_view name;
    Role role;
    DType dtype;
    std::size_t count;
    /// An array that an operation says is the host's may live in another kind of host memory for some rungs.
    Memory memory = Memory::device;
    Rows rows = {};
};

/// Where the array lives when this rung is launched.
constexpr Memory memory_of(const BufferSpec& spec, const Rung& rung) {
    return spec.memory == Memory::device ? Memory::device : rung.host_memory.value_or(spec.memory);
}

/// The least a device must do: bytes read once and written once, and arithmetic operations (an FMA counts two).
struct Work {
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t flops = 0;
    /// Operations that are no half of a multiply-add: comparisons, minima, and products and sums that the definition
    /// rounds one by one. Each takes the place of an FMA.
    std::uint64_t operations = 0;
    /// Bytes that must cross the link from the host and to it. Where there is no link, they are read and written.
    std::uint64_t bytes_uploaded = 0;
    std::uint64_t bytes_downloaded = 0;

    /// What the units of a device could have computed meanwhile, in FLOP: what a measured rate of FMAs bounds.
    constexpr std::uint64_t arithmetic() const { return flops + 2 * operations; }
    constexpr std::uint64_t bytes_over_link() const { return bytes_uploaded + bytes_downloaded; }
    /// The bytes that a rate counts: those over the link where any cross it, for it is the narrowest; else memory's.
    constexpr std::uint64_t bytes() const {
        return bytes_over_link() > 0 ? bytes_over_link() : bytes_read + bytes_written;
    }
};

/// The least work where every element of every array counts: each is read or written once. What lies between rows is
/// counted, too; an operation on images counts its samples itself.
constexpr Work work_of(std::span<const BufferSpec> arrays, std::uint64_t flops = 0) {
    Work work{.flops = flops};
    for (const BufferSpec& array : arrays)
        (array.role == Role::input ? work.bytes_read : work.bytes_written) += size_of(array.dtype) * array.count;
    return work;
}

/// |result − reference| ≤ absolute + relative·|reference| + of_magnitude·magnitude; all zero means equal to the bit.
/// NaN equals NaN, and an infinity only itself.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    /// Share of the magnitude that the operation gives for each element: the sum of |term| of a sum of terms, say.
    double of_magnitude = 0;
    /// Whether a zero has the reference's sign. To the bit it always has.
    bool signed_zero = false;
    /// Why this bound holds for every finite input, in one sentence.
    std::string_view reason = {};

    constexpr bool exact() const { return absolute == 0 && relative == 0 && of_magnitude == 0; }
};

/// Whether a rung's deviation is a share of the magnitudes: where the operation's tolerance is one, but of libraries.
constexpr bool deviates_by_share(const Rung& rung, const Tolerance& tolerance) {
    return !rung.library && tolerance.of_magnitude > 0;
}

/// What an operation allows, widened by the deviation that a rung states.
constexpr Tolerance tolerance_of(const Rung& rung, Tolerance tolerance) {
    double& allowed = deviates_by_share(rung, tolerance) ? tolerance.of_magnitude : tolerance.absolute;
    if (rung.deviation > allowed) allowed = rung.deviation;
    return tolerance;
}

/// What the input arrays may hold instead of random values and is hard to get right: constants, extremes, NaN.
struct Input {
    /// As --input takes it.
    std::string_view name;
    /// What the arrays hold, in the words of a reason: "with constant input 1.23: …".
    std::string_view values;
    /// Writes it into the input arrays (host addresses); they hold random values before.
    void (*fill)(const Problem&, std::span<const BufferSpec>, const Buffers&) = nullptr;
    /// For which types and forms the operation says what is right; null for all.
    bool (*defined)(const Problem&) = nullptr;
};
/// An index into Operation::inputs, from 1; 0 are random values, which every operation has.
using InputIndex = std::size_t;
inline constexpr InputIndex kRandomInput = 0;

/// The problems that are timed by default, for each kind of device.
struct TimedProblems {
    std::span<const Extents> cuda, simt, cpu;

    constexpr std::span<const Extents> on(DeviceKind kind) const {
        return kind == DeviceKind::cuda ? cuda : kind == DeviceKind::simt ? simt : cpu;
    }
};

/// A rung that the chooser asks before all others.
struct Preference {
    std::string_view rung;
    /// The problems for which it is the faster; null for all. Arguments that no problem describes count as all.
    bool (*where)(const Problem&) = nullptr;
};

/// What an operation's file states about it; the reference is typed, everything else is plain data and functions.
template <class Sig>
struct OperationEntry;
template <class... Args>
struct OperationEntry<Signature<Args...>> {
    /// What it computes, in one line with a formula.
    std::string_view summary = {};
    /// Names of the axes of a problem, in the order of Extents: the names of its LANEWORK_AXES.
    std::span<const std::string_view> axes = {};
    /// Lengths of the last axes, which a user may leave out; empty where all must be given.
    std::span<const std::int64_t> usual = {};
    /// Names of the forms it comes in ("weighted", "mean"), the default first; none where there is one only.
    std::span<const std::string_view> variants = {};
    /// False for a form that does not exist for a type (atomicInc for floats): such a problem is tried only when it is
    /// asked for by name. Null where every form exists for every type.
    bool (*exists)(const Problem&) = nullptr;
    /// Shapes that every rung is verified on: ragged, tiny, empty, large, degenerate.
    std::span<const Extents> verified = {};
    /// Shapes that every rung is verified on besides, but not on simt, which takes too long for them.
    std::span<const Extents> verified_by_hardware = {};
    TimedProblems timed = {};
    /// A random shape, small enough to be verified in a moment, ragged and degenerate ones among them; the same for the
    /// same seed. Null where the operation draws none.
    Extents (*draw)(std::uint64_t seed) = nullptr;
    /// The arrays of a problem, in the order in which Args::from reads them.
    std::vector<BufferSpec> (*buffers)(const Problem&) = nullptr;
    Work (*work)(const Problem&) = nullptr;
    /// Fills the input arrays (host addresses) with random values that depend on the seed alone.
    void (*fill)(const Problem&, std::uint64_t seed, const Buffers&) = nullptr;
    /// What else every rung is verified with; empty only where there is no input.
    std::span<const Input> inputs = {};
    /// The serial reference (host addresses): the definition of a right answer, for every input that is listed.
    PerType<void (*)(const Args&)...> reference = {};
    /// The magnitude of each element of the first output, for tolerances that are a share of it.
    PerType<void (*)(const Args&, double* magnitudes)...> magnitudes = {};
    Tolerance (*tolerance)(const Problem&) = nullptr;
    /// A tighter one that random inputs keep by chance, so that small faults show; null for the same.
    Tolerance (*tolerance_of_random)(const Problem&) = nullptr;
    /// The rungs that the chooser asks before all others whether they fit, the fastest first: where two fit,
    /// measurements say which (the operation's file names them). After these come the others, from the top of the
    /// ladder down.
    std::span<const Preference> choice = {};
};

/// An operation as the rest of the program sees it: constant data.
struct Operation {
    struct Typed {
        DType dtype;
        void (*reference)(const void* entry, const Problem&, const Buffers&);
        /// False when the operation gives no magnitudes.
        bool (*magnitudes)(const void* entry, const Problem&, const Buffers&, double* magnitudes);
    };
    std::string_view name;
    std::string_view summary;
    std::span<const std::string_view> axes;
    std::span<const std::string_view> variants;
    std::span<const Extents> verified;
    TimedProblems timed;
    std::vector<BufferSpec> (*buffers)(const Problem&);
    Work (*work)(const Problem&);
    void (*fill)(const Problem&, std::uint64_t seed, const Buffers&);
    Tolerance (*tolerance)(const Problem&);
    std::span<const Typed> types;
    const void* entry;
    bool (*exists)(const Problem&) = nullptr;
    std::span<const std::int64_t> usual = {};
    Extents (*draw)(std::uint64_t seed) = nullptr;
    std::span<const Input> inputs = {};
    Tolerance (*tolerance_of_random)(const Problem&) = nullptr;
    std::span<const Preference> choice = {};
    std::span<const Extents> verified_by_hardware = {};

    /// The shapes that a rung of this kind of device is verified on, unless others are asked for.
    std::vector<Extents> verified_on(DeviceKind kind) const;
    /// Fills the input arrays with one of its inputs; what is random in it depends on the seed alone.
    void fill_with(InputIndex input, const Problem& problem, std::uint64_t seed, const Buffers& buffers) const;
    /// Whether it says what is right for this input of this problem.
    bool defines(InputIndex input, const Problem& problem) const;
    /// "random", or the name of one of its inputs.
    std::string_view name_of_input(InputIndex input) const;
    /// What results may be off by, with this input.
    Tolerance tolerance_with(InputIndex input, const Problem& problem) const;
    /// Computes the reference on host arrays. Throws std::invalid_argument for a type the operation does not have.
    void reference(const Problem& problem, const Buffers& buffers) const;
    /// Writes the magnitude of each element of the first output; false where the operation gives none.
    bool magnitudes(const Problem& problem, const Buffers& buffers, double* magnitudes) const;
    /// True when the operation is defined for the type.
    bool has(DType dtype) const;
    /// How many of the axes say what this problem is: the last ones are left out where they have their usual lengths.
    std::size_t told_axes(const Problem& problem) const;
    /// The type used when none is asked for: the first that it lists.
    DType default_dtype() const { return types.front().dtype; }
};

namespace detail {

template <class Entry, class A>
void erased_reference(const void* entry, const Problem& problem, const Buffers& buffers) {
    static_cast<const Entry*>(entry)->reference.template get<void (*)(const A&)>()(A::from(problem, buffers));
}

template <class Entry, class A>
bool erased_magnitudes(const void* entry, const Problem& problem, const Buffers& buffers, double* magnitudes) {
    const auto give =
        static_cast<const Entry*>(entry)->magnitudes.template get<void (*)(const A&, double* magnitudes)>();
    if (give) give(A::from(problem, buffers), magnitudes);
    return give != nullptr;
}

template <class Entry, class Sig>
struct ReferenceTable;
template <class Entry, class... Args>
struct ReferenceTable<Entry, Signature<Args...>> {
    static constexpr std::array<Operation::Typed, sizeof...(Args)> value{Operation::Typed{
        dtype_of<typename Args::Element>, &erased_reference<Entry, Args>, &erased_magnitudes<Entry, Args>}...};
};

template <class Sig>
constexpr Operation erase(const OperationEntry<Sig>& entry, std::string_view name) {
    return Operation{name,
                     entry.summary,
                     entry.axes,
                     entry.variants,
                     entry.verified,
                     entry.timed,
                     entry.buffers,
                     entry.work,
                     entry.fill,
                     entry.tolerance,
                     ReferenceTable<OperationEntry<Sig>, Sig>::value,
                     &entry,
                     entry.exists,
                     entry.usual,
                     entry.draw,
                     entry.inputs,
                     entry.tolerance_of_random,
                     entry.choice,
                     entry.verified_by_hardware};
}

}  // namespace detail
}  // namespace lanework

/// Ends an operation's file: LANEWORK_OPERATION(name, {.summary = …, .axes = …, …}).
#define LANEWORK_OPERATION(op, ...)                                                            \
    namespace {                                                                                \
    constexpr ::lanework::OperationEntry<op##_signature> lanework_operation_entry __VA_ARGS__; \
    }                                                                                          \
    extern const ::lanework::Operation lanework_operation_##op;                                \
    constinit const ::lanework::Operation lanework_operation_##op =                            \
        ::lanework::detail::erase(lanework_operation_entry, #op)
