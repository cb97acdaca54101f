// One call after the other: what atomic means is that it looks like this, in some order.
#include <algorithm>

#include "ops/atomics/operation.hpp"

namespace {
template <class T>
void launch(const AtomicsArgs<T>& a, Team) {
    for (std::int64_t cell = 0, call = 0; cell < a.cells(); ++cell) {
        T now = a.first[cell];
        std::uint64_t entries = 0;
        for (std::int64_t end = std::min(a.calls, call + a.per_cell); call < end; ++call) {
            entries += ledger_entry(a.function, now, a.values[call]);
            now = after(a.function, now, a.values[call]);
        }
        a.ledger[cell] = entries + mixed(now);
        a.final[cell] = order_decides(a.function) ? a.first[cell] : now;
    }
}
}  // namespace

LANEWORK_RUNG(atomics, serial,
              {
                  .lesson = "One thread needs no atomics; theirs must look as if there were only one.",
                  .launch = {launch<std::int32_t>, launch<std::uint32_t>, launch<std::uint64_t>, launch<float>,
                             launch<double>, launch<std::int64_t>, launch<std::uint16_t>, launch<float16>,
                             launch<bfloat16>},
                  .refuses = refuse_call,
              });
