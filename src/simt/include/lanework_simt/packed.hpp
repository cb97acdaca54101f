// CUDA's packed intrinsics: two 16-bit or four 8-bit integers in one register, each computed by itself.
#pragma once

namespace lanework_simt {
namespace packed_lanes {
template <class Lane, class Compute>
inline unsigned int each(unsigned int a, unsigned int b, Compute compute) {
    constexpr int kBits = int(sizeof(Lane)) * 8;
    constexpr unsigned int kMask = (1u << kBits) - 1;
    unsigned int result = 0;
    for (int at = 0; at < 32; at += kBits)
        result |= (unsigned(compute(int(Lane(a >> at)), int(Lane(b >> at)))) & kMask) << at;
    return result;
}
template <class Lane>
inline int clamp(int x) {
    constexpr bool kSigned = Lane(-1) < Lane(0);
    constexpr int kSpan = 1 << int(sizeof(Lane)) * 8;
    constexpr int kMin = kSigned ? -kSpan / 2 : 0, kMax = kMin + kSpan - 1;
    return x < kMin ? kMin : x > kMax ? kMax : x;
}
template <class Lane>
inline unsigned int sum_of_differences(unsigned int a, unsigned int b) {
    unsigned int sum = 0;
    for (int at = 0; at < 32; at += int(sizeof(Lane)) * 8) {
        const int difference = int(Lane(a >> at)) - int(Lane(b >> at));
        sum += unsigned(difference < 0 ? -difference : difference);
    }
    return sum;
}
}  // namespace packed_lanes
inline namespace api {

// One function per line below and lane count: a and b are the lanes as int, the result is cut to the lane.
#define LANEWORK_SIMT_PACKED(name, count, lane, expression)                             \
    inline unsigned int name##count(unsigned int x, unsigned int y) {                   \
        return packed_lanes::each<lane>(x, y, [](int a, int b) { return expression; }); \
    }
#define LANEWORK_SIMT_PACKED_ONE(name, count, lane, expression)                        \
    inline unsigned int name##count(unsigned int x) {                                  \
        return packed_lanes::each<lane>(x, 0u, [](int a, int) { return expression; }); \
    }
// A comparison gives all ones in the lane; its set form gives one.
#define LANEWORK_SIMT_PACKED_COMPARE(name, count, lane, operation)          \
    LANEWORK_SIMT_PACKED(__vcmp##name, count, lane, a operation b ? -1 : 0) \
    LANEWORK_SIMT_PACKED(__vset##name, count, lane, a operation b ? 1 : 0)
#define LANEWORK_SIMT_PACKED_ALL(count, s, u)                                             \
    LANEWORK_SIMT_PACKED(__vadd, count, u, a + b)                                         \
    LANEWORK_SIMT_PACKED(__vaddss, count, s, packed_lanes::clamp<s>(a + b))               \
    LANEWORK_SIMT_PACKED(__vaddus, count, u, packed_lanes::clamp<u>(a + b))               \
    LANEWORK_SIMT_PACKED(__vsub, count, u, a - b)                                         \
    LANEWORK_SIMT_PACKED(__vsubss, count, s, packed_lanes::clamp<s>(a - b))               \
    LANEWORK_SIMT_PACKED(__vsubus, count, u, packed_lanes::clamp<u>(a - b))               \
    LANEWORK_SIMT_PACKED(__vavgs, count, s, a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1) \
    LANEWORK_SIMT_PACKED(__vavgu, count, u, (a + b + 1) >> 1)                             \
    LANEWORK_SIMT_PACKED(__vhaddu, count, u, (a + b) >> 1)                                \
    LANEWORK_SIMT_PACKED(__vabsdiffs, count, s, a > b ? a - b : b - a)                    \
    LANEWORK_SIMT_PACKED(__vabsdiffu, count, u, a > b ? a - b : b - a)                    \
    LANEWORK_SIMT_PACKED(__vmaxs, count, s, a > b ? a : b)                                \
    LANEWORK_SIMT_PACKED(__vmaxu, count, u, a > b ? a : b)                                \
    LANEWORK_SIMT_PACKED(__vmins, count, s, a < b ? a : b)                                \
    LANEWORK_SIMT_PACKED(__vminu, count, u, a < b ? a : b)                                \
    LANEWORK_SIMT_PACKED_ONE(__vabs, count, s, a < 0 ? -a : a)                            \
    LANEWORK_SIMT_PACKED_ONE(__vabsss, count, s, packed_lanes::clamp<s>(a < 0 ? -a : a))  \
    LANEWORK_SIMT_PACKED_ONE(__vneg, count, s, -a)                                        \
    LANEWORK_SIMT_PACKED_ONE(__vnegss, count, s, packed_lanes::clamp<s>(-a))              \
    LANEWORK_SIMT_PACKED_COMPARE(eq, count, u, ==)                                        \
    LANEWORK_SIMT_PACKED_COMPARE(ne, count, u, !=)                                        \
    LANEWORK_SIMT_PACKED_COMPARE(ges, count, s, >=)                                       \
    LANEWORK_SIMT_PACKED_COMPARE(geu, count, u, >=)                                       \
    LANEWORK_SIMT_PACKED_COMPARE(gts, count, s, >)                                        \
    LANEWORK_SIMT_PACKED_COMPARE(gtu, count, u, >)                                        \
    LANEWORK_SIMT_PACKED_COMPARE(les, count, s, <=)                                       \
    LANEWORK_SIMT_PACKED_COMPARE(leu, count, u, <=)                                       \
    LANEWORK_SIMT_PACKED_COMPARE(lts, count, s, <)                                        \
    LANEWORK_SIMT_PACKED_COMPARE(ltu, count, u, <)                                        \
    inline unsigned int __vsads##count(unsigned int x, unsigned int y) {                  \
        return packed_lanes::sum_of_differences<s>(x, y);                                 \
    }                                                                                     \
    inline unsigned int __vsadu##count(unsigned int x, unsigned int y) {                  \
        return packed_lanes::sum_of_differences<u>(x, y);                                 \
    }
LANEWORK_SIMT_PACKED_ALL(2, short, unsigned short)
LANEWORK_SIMT_PACKED_ALL(4, signed char, unsigned char)
#undef LANEWORK_SIMT_PACKED_ALL
#undef LANEWORK_SIMT_PACKED_COMPARE
#undef LANEWORK_SIMT_PACKED_ONE
#undef LANEWORK_SIMT_PACKED

}  // namespace api
}  // namespace lanework_simt
