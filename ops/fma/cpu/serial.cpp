// One element after another: each multiply-add waits for the one before, and most of the core idles.
#include <cmath>

#include "ops/fma/operation.hpp"

namespace {

float multiply_add(float x, float a, float b) { return std::fma(x, a, b); }
double multiply_add(double x, double a, double b) { return std::fma(x, a, b); }
std::int32_t multiply_add(std::int32_t x, std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(a) +
                                     static_cast<std::uint32_t>(b));
}

template <class T>
void launch(const FmaArgs<T>& a, Team) {
    const T factor = a.coefficients[0], addend = a.coefficients[1];
    for (std::int64_t i = 0; i < a.elements; ++i) {
        T x = a.starts[i % kStarts];
        for (std::int64_t step = 0; step < a.steps; ++step) x = multiply_add(x, factor, addend);
        a.out[i] = x;
    }
}
}  // namespace

LANEWORK_RUNG(fma, serial,
              {
                  .lesson = "A dependent chain is bound by the latency of one instruction, not by how many could run.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>},
              });
