// The calls are dealt out to all threads of the team, who meet in the cells: std::atomic_ref, and compare-and-exchange
// in a loop, make each function of the model atomic. Lines of cells travel from core to core.
#include <algorithm>
#include <atomic>

#include "ops/atomics/operation.hpp"

namespace {
constexpr std::int64_t kGrain = 64;  // calls dealt at a time: threads are to meet, not to have a stretch each

/// Returns what the cell held before.
template <class T>
T call(AtomicFunction function, T& cell, T value) {
    const std::atomic_ref<T> shared(cell);
    T old = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(old, after(function, old, value), std::memory_order_relaxed)) {
    }
    return old;
}

template <class T>
void launch(const AtomicsArgs<T>& a, Team team) {
    const std::int64_t cells = a.cells(), grains = ceil_div(a.calls, kGrain);
    const int threads = static_cast<int>(std::clamp<std::int64_t>(grains, 1, team.threads));
    std::copy_n(a.first, cells, a.final);
    std::fill_n(a.ledger, cells, std::uint64_t{0});
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::int64_t grain = 0; grain < grains; ++grain)
        for (std::int64_t i = grain * kGrain; i < std::min(a.calls, (grain + 1) * kGrain); ++i) {
            const T old = call(a.function, a.final[i / a.per_cell], a.values[i]);
            std::atomic_ref(a.ledger[i / a.per_cell])
                .fetch_add(ledger_entry(a.function, old, a.values[i]), std::memory_order_relaxed);
        }
    for (std::int64_t cell = 0; cell < cells; ++cell) {
        a.ledger[cell] += mixed(a.final[cell]);
        if (order_decides(a.function)) a.final[cell] = a.first[cell];
    }
}
}  // namespace

LANEWORK_RUNG(atomics, threads,
              {
                  .climbs_from = "serial",
                  .lesson = "Cores that change one cell hand its cache line around, and wait for it in turn.",
                  .launch = {launch<std::int32_t>, launch<std::uint32_t>, launch<std::uint64_t>, launch<float>,
                             launch<double>, launch<std::int64_t>, launch<std::uint16_t>, launch<float16>,
                             launch<bfloat16>},
                  .refuses = refuse_call,
              });
