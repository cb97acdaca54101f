// One element after the other. A running float would stop growing at 2^24 elements of this size: it runs in double, and
// what even a double rounds away is kept.
#include "ops/reduce/cpu/compensated.hpp"
#include "ops/reduce/extreme.hpp"
#include "ops/reduce/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
/// Calls visit(element, place) for all elements, one after the other.
template <class T, class Visit>
void visit_all(const ReduceArgs<T>& a, const Visit& visit) {
    for_each_stretch({0, a.n}, a.cols, [&](std::int64_t row, std::int64_t, std::int64_t end) {
        const T* const in = a.in + row * a.pitch;
        for (std::int64_t i = 0; i < end; ++i) visit(in[i], row * a.cols + i);
    });
}

template <bool kLargest, class T>
void find_extreme(const ReduceArgs<T>& a) {
    Candidate<T> best = nobody<kLargest, T>();
    visit_all(a, [&](T value, std::int64_t place) { best = better<kLargest>(best, Candidate<T>{value, place}); });
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
    visit_all(a, [&](T value, std::int64_t) { sum.add(static_cast<double>(value)); });
    *a.out = static_cast<T>(sum.value());
}

void launch_integers(const ReduceArgs<std::int32_t>& a, Team) {
    if (a.form != ReduceForm::sum) return find(a);
    std::int32_t sum = 0;
    visit_all(a, [&](std::int32_t value, std::int64_t) { sum = plus(sum, value); });
    *a.out = sum;
}
}  // namespace

LANEWORK_RUNG(
    reduce, serial,
    {
        .lesson = "One running sum: each addition waits for the one before; floats need a wider, careful one.",
        .launch = {launch_integers, launch<float>, launch<double>},
    });
