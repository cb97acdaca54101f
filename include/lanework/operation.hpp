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
    /// Bytes that must cross the link from the host and to it. Where there is no link, they are read and written.
    std::uint64_t bytes_uploaded = 0;
    std::uint64_t bytes_downloaded = 0;

    constexpr std::uint64_t bytes_over_link() const { return bytes_uploaded + bytes_downloaded; }
    /// The bytes that a rate counts: those over the link where any cross it, for it is the narrowest; else memory's.
    constexpr std::uint64_t bytes() const {
        return bytes_over_link() > 0 ? bytes_over_link() : bytes_read + bytes_written;
    }
};

/// |result − reference| ≤ absolute + relative·|reference|; both zero means equal to the bit.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    /// Why this bound holds, in one sentence.
    std::string_view reason = {};
};

/// What an operation allows, widened by the deviation that a library rung states.
constexpr Tolerance tolerance_of(const Rung& rung, Tolerance tolerance) {
    if (rung.library && rung.deviation > tolerance.absolute) tolerance.absolute = rung.deviation;
    return tolerance;
}

/// The problems that are timed by default, for each kind of device.
struct TimedProblems {
    std::span<const Extents> cuda, simt, cpu;

    constexpr std::span<const Extents> on(DeviceKind kind) const {
        return kind == DeviceKind::cuda ? cuda : kind == DeviceKind::simt ? simt : cpu;
    }
};

/// What an operation's file states about it; the reference is typed, everything else is plain data and functions.
template <class Sig>
struct OperationEntry;
template <class... Args>
struct OperationEntry<Signature<Args...>> {
    /// What it computes, in one line with a formula.
    std::string_view summary = {};
    /// Names of the axes of a problem, in the order of Extents.
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
    TimedProblems timed = {};
    /// A random shape, small enough to be verified in a moment, ragged and degenerate ones among them; the same for the
    /// same seed. Null where the operation draws none.
    Extents (*draw)(std::uint64_t seed) = nullptr;
    /// The arrays of a problem, in the order in which Args::from reads them.
    std::vector<BufferSpec> (*buffers)(const Problem&) = nullptr;
    Work (*work)(const Problem&) = nullptr;
    /// Fills the input arrays (host addresses) with random values that depend on the seed alone.
    void (*fill)(const Problem&, std::uint64_t seed, const Buffers&) = nullptr;
    /// The serial reference (host addresses): the definition of a right answer.
    PerType<void (*)(const Args&)...> reference = {};
    Tolerance (*tolerance)(const Problem&) = nullptr;
};

/// An operation as the rest of the program sees it: constant data.
struct Operation {
    struct Typed {
        DType dtype;
        void (*reference)(const void* entry, const Problem&, const Buffers&);
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

    /// Computes the reference on host arrays. Throws std::invalid_argument for a type the operation does not have.
    void reference(const Problem& problem, const Buffers& buffers) const;
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

template <class Entry, class Sig>
struct ReferenceTable;
template <class Entry, class... Args>
struct ReferenceTable<Entry, Signature<Args...>> {
    static constexpr std::array<Operation::Typed, sizeof...(Args)> value{
        Operation::Typed{dtype_of<typename Args::Element>, &erased_reference<Entry, Args>}...};
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
                     entry.draw};
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
