// Words instead of bytes on both sides, pairs of bytes weighed by a dot product, and OpenCV's two shifted products by
// fused multiply-adds that round down: instructions are what an image that grows runs out of.
#include "ops/resize/word_strips.cuh"

LANEWORK_RUNG(
    resize, word_pairs,
    {
        .climbs_from = "kept_rows",
        .lesson = "Words in and out; a dot product weighs two bytes, and fused multiply-adds do OpenCV's rounding.",
        .launch = {resize_by_words<std::uint8_t>, resize_by_words<float>},
    });
