// GELU: y = x·Φ(x), where Φ is the normal distribution's; and the form with a hyperbolic tangent that is close to it.
#pragma once

#include <lanework/array_view.hpp>
#include <lanework/rung.hpp>

#include "src/core/gelu.hpp"
#include "src/core/one_row.hpp"

namespace lanework {

LANEWORK_AXES(GeluAxes, n);

template <class T>
struct GeluArgs {
    using Element = T;
    const T* in;     ///< n elements
    T* out;          ///< n elements
    std::int64_t n;  ///< may exceed 2^31
    GeluForm form;
    std::int64_t cols;                 ///< elements of a row: n where they lie side by side
    std::int64_t in_pitch, out_pitch;  ///< elements from a row to the next; of one row nobody reads it

    static GeluArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const T, T>();
        const auto [n] = problem.lengths<GeluAxes>();
        return {in, out, n, static_cast<GeluForm>(problem.variant), n, n, n};
    }
};

/// Calls body.operator()<form>() for the form that is known only when the program runs.
template <class Body>
void with_form(GeluForm form, const Body& body) {
    if (form == GeluForm::erf)
        body.template operator()<GeluForm::erf>();
    else
        body.template operator()<GeluForm::tanh>();
}

}  // namespace lanework

using gelu_signature = lanework::Signature<lanework::GeluArgs<float>, lanework::GeluArgs<lanework::float16>,
                                           lanework::GeluArgs<lanework::bfloat16>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
