// What walking through the table computes, and which lengths it is verified and timed on. The rows' results are added:
// a sum has no order, so that each lane may begin with a row of its own.
#include "ops/banks/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0, 2),   extents(1, 1),    extents(5, 0),   extents(31, 2),
                                 extents(33, 1),  extents(64, 3),   extents(255, 1), extents(256, 1),
                                 extents(257, 2), extents(1000, 1), extents(4099, 1)};
constexpr Extents kCuda[] = {extents(1 << 20, 8)};
constexpr Extents kSimt[] = {extents(1 << 12, 2)};
constexpr Extents kCpu[] = {extents(1 << 18, 4)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<BanksAxes>().n); }

std::uint32_t word_at(const BanksArgs& a, int row, int word) {
    return static_cast<std::uint32_t>(a.table[row * kWords + word]);
}

void reference(const BanksArgs& a) {
    for (std::int64_t i = 0; i < a.n; ++i) {
        auto x = static_cast<std::uint32_t>(i);
        for (std::int64_t sweep = 0; sweep < a.sweeps; ++sweep) {
            std::uint32_t sum = 0;
            for (int row = 0; row < kRows; ++row) {
                std::uint32_t h = x;
                for (int word = 0; word < kWords; word += 2)
                    h = take_in(h, word_at(a, row, word), word_at(a, row, word + 1));
                sum += h;
            }
            x = sum;
        }
        a.out[i] = static_cast<std::int32_t>(x);
    }
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"table", Role::input, p.dtype, kTableWords}, {"out", Role::output, p.dtype, count(p)}};
}

/// A multiply-add for every two words that are read; the exclusive ors are not counted.
Work work(const Problem& p) {
    return work_of(buffers(p), count(p) * static_cast<std::uint64_t>(p.lengths<BanksAxes>().sweeps) * kTableWords);
}

}  // namespace

LANEWORK_OPERATION(banks,
                   {
                       .summary = "B[i] = x after `sweeps` times x ← h₀(x) + … + h₃₁(x), from x = i; hᵣ takes in row r",
                       .axes = BanksAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work = work,
                       .fill =
                           [](const Problem&, std::uint64_t seed, const Buffers& b) {
                               const auto [table] = b.arrays<std::int32_t>();
                               fill_uniform(table, kTableWords, seed);
                           },
                       .inputs = kHardIntegers,
                       .reference = reference,
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "integers wrap around exactly"}; },
                   });
