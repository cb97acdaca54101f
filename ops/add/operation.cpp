// What an addition is, which lengths it is verified and timed on, and what it must cost at least.
#include "ops/add/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(2),     extents(3),        extents(4),
                                 extents(31),   extents(32),   extents(33),    extents(127),      extents(1000),
                                 extents(1024), extents(4097), extents(65537), extents(1'000'003)};
constexpr Extents kCuda[] = {extents(1 << 28), extents(1 << 22)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(100'000'000), extents(1 << 16)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<AddAxes>().n); }

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [x, y] = b.arrays<float, float>();
    fill_uniform(x, count(p), seed);
    fill_uniform(y, count(p), ~seed);
}

void reference(const AddArgs& a) {
    for (std::int64_t i = 0; i < a.n; ++i) a.z[i] = a.x[i] + a.y[i];
}

}  // namespace

LANEWORK_OPERATION(
    add, {
             .summary = "z = x + y",
             .axes = AddAxes::names,
             .verified = kVerified,
             .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
             .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                 return {{"x", Role::input, p.dtype, count(p)},
                         {"y", Role::input, p.dtype, count(p)},
                         {"z", Role::output, p.dtype, count(p)}};
             },
             .work =
                 [](const Problem& p) {
                     const std::uint64_t bytes = sizeof(float) * count(p);
                     return Work{.bytes_read = 2 * bytes, .bytes_written = bytes, .flops = count(p)};
                 },
             .fill = fill,
             .inputs = kHardNumbers,
             .reference = reference,
             .tolerance = [](const Problem&) { return Tolerance{.reason = "one IEEE addition rounds in one way"}; },
         });
