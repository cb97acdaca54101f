// One thread, one loop, ordinary stores: every line of z is read from memory before it is overwritten.
#include "ops/add/operation.hpp"

namespace {

template <class T>
void launch(const AddArgsOf<T>& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) a.z[i] = sum_of(a.x[i], a.y[i]);
}

}  // namespace

LANEWORK_RUNG(
    add, serial,
    {
        .lesson = "One core cannot ask memory for enough lines at once, and a plain store reads its line first.",
        .launch = {launch<float>, launch<double>, launch<std::int32_t>, launch<float16>, launch<bfloat16>},
        .fits = OneRow<add_signature>::fits,
        .only = kRowsTouch,
    });
