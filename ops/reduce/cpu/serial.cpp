// One element after the other. A running float would stop growing at 2^24 elements of this size: it runs in double, and
// what even a double rounds away is kept.
#include "ops/reduce/cpu/compensated.hpp"
#include "ops/reduce/extreme.hpp"
#include "ops/reduce/operation.hpp"

namespace {
template <bool kLargest, class T>
void find_extreme(const ReduceArgs<T>& a) {
    Candidate<T> best = nobody<kLargest, T>();
    for (std::int64_t i = 0; i < a.n; ++i) best = better<kLargest>(best, Candidate<T>{a.in[i], i});
    if (seeks_place(a.form))
        *a.place = place_of(best);
    else
        *a.out = best.value;
}

template <class T>
void find(const ReduceArgs<T>& a) {
    seeks_largest(a.form) ? find_extreme<true>(a) : find_extreme<false>(a);
}

template <class T>
void launch(const ReduceArgs<T>& a, Team) {
    if (a.form != ReduceForm::sum) return find(a);
    Compensated sum;
    for (std::int64_t i = 0; i < a.n; ++i) sum.add(static_cast<double>(a.in[i]));
    *a.out = static_cast<T>(sum.value());
}

void launch_integers(const ReduceArgs<std::int32_t>& a, Team) {
    if (a.form != ReduceForm::sum) return find(a);
    std::int32_t sum = 0;
    for (std::int64_t i = 0; i < a.n; ++i) sum = plus(sum, a.in[i]);
    *a.out = sum;
}
}  // namespace

LANEWORK_RUNG(
    reduce, serial,
    {
        .lesson = "One running sum: each addition waits for the one before; floats need a wider, careful one.",
        .launch = {launch_integers, launch<float>, launch<double>},
    });
