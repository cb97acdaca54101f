// What an epilogue makes of a sum, on a processor.
#pragma once

#include "ops/matmul/operation.hpp"
#include "src/core/gelu.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a sum becomes at (row, col) of C.
template <class T>
Result<T> finished_on_host(const Finish<T>& finish, SumOf<T> sum, std::int64_t row, std::int64_t col) {
    SumOf<T> number = blended(finish, sum, row, col);
    if constexpr (!std::is_integral_v<SumOf<T>>) {
        if (finish.activation == MatmulActivation::gelu) number = gelu_of<GeluForm::erf>(number);
        if (finish.activation == MatmulActivation::gelu_tanh) number = gelu_of<GeluForm::tanh>(number);
    }
    return narrowed<Result<T>>(number);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
