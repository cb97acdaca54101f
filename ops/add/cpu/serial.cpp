// One thread, one loop, ordinary stores: every line of z is read from memory before it is overwritten.
#include "ops/add/operation.hpp"

namespace {

void launch(const AddArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) a.z[i] = a.x[i] + a.y[i];
}

}  // namespace

LANEWORK_RUNG(
    add, serial,
    {
        .lesson = "One core cannot ask memory for enough lines at once, and a plain store reads its line first.",
        .launch = launch,
        .fits = OneRow<add_signature>::fits,
        .only = kRowsTouch,
    });
