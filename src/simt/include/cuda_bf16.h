// CUDA's bfloat16 for the simt device: the upper half of a float, in ones and pairs.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <lanework_simt/half_names.hpp>

namespace lanework_simt {
inline namespace api {

using __nv_bfloat16 = halves::Number<halves::Brain16>;
using __nv_bfloat162 = halves::Pair<halves::Brain16>;
using __nv_bfloat16_raw = halves::Raw<halves::Brain16>;
using __nv_bfloat162_raw = halves::RawPair<halves::Brain16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

LANEWORK_SIMT_HALF_NAMES(bfloat16, halves::Brain16)

}  // namespace api
}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
