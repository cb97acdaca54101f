// What becomes of a matrix product before it is rounded and written: activation(alpha·a·b + beta·c + bias).
#pragma once

#include <lanework/array_view.hpp>
#include <type_traits>

namespace lanework {

/// Applied last, in the sum's type: nothing, or GELU in the form with erf or with tanh (GeluForm). Of floats alone.
enum class MatmulActivation : std::uint8_t { none, gelu, gelu_tanh };

/// What an epilogue consists of, for the chooser and for workspaces. The values are the order of the operation's
/// variants, in pairs of forms.
enum class MatmulEpilogue : std::uint8_t {
    none,       ///< a·b
    bias,       ///< alpha·a·b + bias
    gelu,       ///< gelu(alpha·a·b + bias)
    gelu_tanh,  ///< the same with tanh
    scaled,     ///< whatever has beta·c
};

/// c = activation(alpha·a·b + beta·c + bias), where c is made of T: computed as int32 modulo 2^32 of int32, else in
/// float, and rounded to T once. What a factor of 0 stands before is not read: NaN and infinities in it stay out.
template <class T>
struct Epilogue {
    using Factor = std::conditional_t<std::is_integral_v<T>, T, float>;
    Factor alpha = 1, beta = 0;
    ArrayView<const T> bias = {};  ///< an element for each column of c; none where it has no address
    MatmulActivation activation = MatmulActivation::none;

    constexpr MatmulEpilogue kind() const {
        if (beta != Factor{0}) return MatmulEpilogue::scaled;
        if (activation == MatmulActivation::gelu) return MatmulEpilogue::gelu;
        if (activation == MatmulActivation::gelu_tanh) return MatmulEpilogue::gelu_tanh;
        return alpha != Factor{1} || bias.data ? MatmulEpilogue::bias : MatmulEpilogue::none;
    }
};

}  // namespace lanework
