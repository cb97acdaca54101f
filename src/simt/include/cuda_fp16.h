// CUDA's half precision for the simt device: IEEE 754 binary16, in ones and pairs.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <lanework_simt/half_names.hpp>

namespace lanework_simt {
inline namespace api {

using __half = halves::Number<halves::Binary16>;
using __half2 = halves::Pair<halves::Binary16>;
using __half_raw = halves::Raw<halves::Binary16>;
using __half2_raw = halves::RawPair<halves::Binary16>;
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

LANEWORK_SIMT_HALF_NAMES(half, halves::Binary16)

}  // namespace api
}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
