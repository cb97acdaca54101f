// What people type about operations: sizes, types, variants, names; what follows from an accepted problem; and small
// ones computed by a rung, which its reference judges.
#include <fmt/format.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/half.hpp>
#include <lanework/registry.hpp>

#include "ops/neighbors/systems.hpp"
#include "tests/fuzz/magnitudes/draw.hpp"

namespace lanework::magnitudes {
namespace {

const Operation& any_operation(Draw& draw) {
    return *operations()[static_cast<std::size_t>(draw.below(static_cast<int>(operations().size())))];
}
DType any_type(Draw& draw, const Operation& operation) {
    return operation.types[static_cast<std::size_t>(draw.below(static_cast<int>(operation.types.size())))].dtype;
}

std::string size_text(Draw& draw, const Operation& operation) {
    const auto axes = static_cast<int>(operation.axes.size());
    const int count =
        draw.once_in(10) ? draw.below(10) : axes - draw.below(static_cast<int>(operation.usual.size()) + 1);
    std::string text;
    for (int k = 0; k < count; ++k)
        text += (k > 0 ? "x" : "") +
                (draw.once_in(3) ? draw.text() : std::to_string(draw.once_in(3) ? draw.whole() : draw.below(40)));
    return text;
}

Problem any_problem(Draw& draw, const Operation& operation) {
    Problem problem = parse_problem(operation, size_text(draw, operation), any_type(draw, operation));
    if (!operation.variants.empty())
        problem.variant = static_cast<std::uint8_t>(draw.below(static_cast<int>(operation.variants.size())));
    return problem;
}

/// Lists of millions of pairs are right, and with sanitizers a matter of half a minute: absurd sizes are called, and
/// small ones.
bool counts_for_long(const Operation& operation, const Problem& problem) {
    if (operation.name != "neighbors") return false;
    const auto atoms = static_cast<double>(problem.lengths<NeighborsAxes>().atoms);
    const double pairs = expected_pairs(problem);
    return (atoms > 4000 && atoms < 2e7) || (pairs > 5e6 && pairs < 1e10);
}

std::uint64_t bytes_of(const Operation& operation, const Problem& problem) {
    std::uint64_t bytes = 0;
    for (const BufferSpec& spec : operation.buffers(problem)) {
        require(spec.count <= std::uint64_t{1} << 47,
                fmt::format("{} of {} {} has more elements than any memory", operation.name,
                            format_extents(operation, problem), name_of(problem.dtype)));
        bytes += spec.count * size_of(spec.dtype);
    }
    return bytes;
}

void call_problem(Draw& draw) {
    const Operation& operation = any_operation(draw);
    const Problem problem = any_problem(draw, operation);
    if (counts_for_long(operation, problem)) return;
    require(bytes_of(operation, problem) <= std::uint64_t{1} << 50, "an accepted size needs more than any memory");
    require(operation.work(problem).bytes() <= std::uint64_t{1} << 50, "an accepted size moves more than any memory");
    operation.tolerance(problem);
    const std::string told = format_extents(operation, problem);
    require(parse_problem(operation, told, problem.dtype).extent == problem.extent, "a size is told as another");
    for (const Rung* rung : rungs())
        if (rung->operation == operation.name) refusal(*rung, problem);
}

void call_names(Draw& draw) {
    const Operation& operation = any_operation(draw);
    const auto name = [&](std::string_view right) {
        std::string text = draw.once_in(3) ? draw.text() : std::string(right);
        if (draw.once_in(3) && !text.empty())
            text[static_cast<std::size_t>(draw.below(static_cast<int>(text.size())))] = static_cast<char>(draw.bits());
        return draw.once_in(20) ? std::string(static_cast<std::size_t>(draw.below(3000)), 'a') : text;
    };
    switch (draw.below(6)) {
        case 0: find_operation(name(operation.name)); break;
        case 1: parse_dtype(operation, name("float32")); break;
        case 2: parse_variant(operation, name(operation.variants.empty() ? "gx" : operation.variants[0])); break;
        case 3:
            find_rung(operation, name("serial"), draw.of({DeviceKind::cpu, DeviceKind::simt, DeviceKind::cuda}));
            break;
        case 4: open_device(name("cpu")); break;
        default: describe_axes(operation); break;
    }
}

/// Small problems: computed by any rung of the processor, without a fault.
void call_execute(Draw& draw) {
    const Operation& operation = any_operation(draw);
    const Problem problem = any_problem(draw, operation);
    if (operation.exists && !operation.exists(problem)) return;
    if (counts_for_long(operation, problem)) return;
    if (bytes_of(operation, problem) > 1 << 18) return;
    for (const std::int64_t length : problem.extent)
        if (length > 4096) return;
    const auto rungs = ladder(operation, DeviceKind::cpu);
    if (rungs.empty()) return;
    HostArrays arrays(operation, problem);
    operation.fill(problem, draw.bits(), arrays.buffers());
    const auto device = open_device("cpu");
    execute(*device, operation, *rungs[static_cast<std::size_t>(draw.below(static_cast<int>(rungs.size())))], problem,
            arrays.buffers());
}

template <auto kTo>
void call_half(Draw& draw) {
    const float value = draw.real<float>(), back = to_float(kTo(value));
    if (value != value) return require(back != back, "a NaN becomes a number");
    require(to_float(kTo(back)) == back, "a half does not stay what it is");
    if (std::isinf(value)) require(back == value, "an infinity becomes another number");
    require(std::signbit(back) == std::signbit(value), "a half has another sign");
}

constexpr Fuzzed kTargets[] = {{"sizes", call_problem},
                               {"names", call_names},
                               {"execute", call_execute},
                               {"float16", call_half<to_float16>},
                               {"bfloat16", call_half<to_bfloat16>}};

}  // namespace

std::span<const Fuzzed> typed_targets() { return kTargets; }

}  // namespace lanework::magnitudes
