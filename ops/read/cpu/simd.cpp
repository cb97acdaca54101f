// The widest vectors of the processor, four pages at a time: four streams for the prefetchers to follow.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/read/cpu/simd.cpp"  // once for every instruction set
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/read/cpu/xor_words.hpp"
#include "ops/read/operation.hpp"

#if HWY_ONCE
namespace {
HWY_EXPORT(xor_words);

void launch(const ReadArgs& a, Team) { *a.out = HWY_DYNAMIC_DISPATCH(xor_words)(a.in, a.words); }
}  // namespace

LANEWORK_RUNG(
    read, simd,
    {
        .climbs_from = "serial",
        .lesson = "Four streams of wide loads have more lines in flight than one, and in-flight lines bound a core.",
        .launch = launch,
    });
#endif
