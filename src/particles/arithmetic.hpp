// The arithmetic that decides who is whose neighbour: every operation rounded by itself, so that a processor, the simt
// device and a GPU agree in every bit. <lanework/neighbors.hpp> states it; this is where it is written down once.
#pragma once

#include <cmath>
#include <cstdint>
#include <lanework/on_device.hpp>
#include <limits>

#ifdef __CUDACC__
#define LANEWORK_EVERYWHERE __host__ __device__
#else
#define LANEWORK_EVERYWHERE
#endif
/// Of what is seldom needed: a GPU keeps it apart, so that who does without it takes neither its registers nor its
/// memory.
#ifdef __NVCC__
#define LANEWORK_SELDOM __noinline__ __host__ __device__ inline
#else
#define LANEWORK_SELDOM inline
#endif

namespace lanework::inline LANEWORK_ON_DEVICE {

// nvcc fuses a·b + c into one rounding unless products and sums are asked for by name; host compilers are told not to
// by -ffp-contract=off, where they have an instruction for it at all.
#ifdef __CUDA_ARCH__
__device__ inline float rounded_product(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double rounded_product(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float rounded_sum(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double rounded_sum(double a, double b) { return __dadd_rn(a, b); }
__device__ inline float rounded_root(float a) { return __fsqrt_rn(a); }
__device__ inline double rounded_root(double a) { return __dsqrt_rn(a); }
#else
template <class T>
LANEWORK_EVERYWHERE T rounded_product(T a, T b) {
    return a * b;
}
template <class T>
LANEWORK_EVERYWHERE T rounded_sum(T a, T b) {
    return a + b;
}
template <class T>
LANEWORK_EVERYWHERE T rounded_root(T a) {
    return std::sqrt(a);
}
#endif

template <class T>
struct Vec3 {
    T x, y, z;
};

/// The integers S of an image.
struct Image3 {
    std::int32_t a, b, c;
    constexpr bool operator==(const Image3&) const = default;
};

/// T(S·H) along one axis: h are the components of the three box vectors on it.
template <class T>
LANEWORK_EVERYWHERE T translation_on_axis(const Image3& s, double h0, double h1, double h2) {
    const double first = rounded_sum(rounded_product(double(s.a), h0), rounded_product(double(s.b), h1));
    return static_cast<T>(rounded_sum(first, rounded_product(double(s.c), h2)));
}

/// t = T(S·H). `box` has the box vectors as rows; those of open directions are zero.
template <class T>
LANEWORK_EVERYWHERE Vec3<T> translation(const Image3& s, const double (&box)[3][3]) {
    return {translation_on_axis<T>(s, box[0][0], box[1][0], box[2][0]),
            translation_on_axis<T>(s, box[0][1], box[1][1], box[2][1]),
            translation_on_axis<T>(s, box[0][2], box[1][2], box[2][2])};
}

/// D = (to − from) + t.
template <class T>
LANEWORK_EVERYWHERE Vec3<T> displacement(const Vec3<T>& from, const Vec3<T>& to, const Vec3<T>& t) {
    return {rounded_sum(rounded_sum(to.x, -from.x), t.x), rounded_sum(rounded_sum(to.y, -from.y), t.y),
            rounded_sum(rounded_sum(to.z, -from.z), t.z)};
}

/// d².
template <class T>
LANEWORK_EVERYWHERE T squared_length(const Vec3<T>& d) {
    return rounded_sum(rounded_sum(rounded_product(d.x, d.x), rounded_product(d.y, d.y)), rounded_product(d.z, d.z));
}

/// cutoff² of a cutoff that has been rounded to T.
template <class T>
LANEWORK_EVERYWHERE T squared_cutoff(T cutoff) {
    return rounded_product(cutoff, cutoff);
}

/// Whether an atom has moved so far that a list to cutoff + skin may lack one of its pairs: by half of the skin, less
/// what all roundings of a distance then and now may come to, of which the other atom of a pair takes as much for
/// itself. Where nothing moved nothing is missing, however thin the skin; a NaN has moved too far.
template <class T>
LANEWORK_EVERYWHERE bool has_outrun(const Vec3<T>& then, const Vec3<T>& now, double cutoff, double skin) {
    const double from[3] = {double(then.x), double(then.y), double(then.z)};
    const double to[3] = {double(now.x), double(now.y), double(now.z)};
    double squared = 0, farthest = 0;
    bool moved = false;
    for (int axis = 0; axis < 3; ++axis) {
        const double step = rounded_sum(to[axis], -from[axis]);
        squared = rounded_sum(squared, rounded_product(step, step));
        moved = moved || step != 0;
        farthest = std::fmax(farthest, std::fmax(std::fabs(from[axis]), std::fabs(to[axis])));
    }
    const double scale = rounded_sum(rounded_sum(cutoff, skin), farthest);
    const double allowed =
        rounded_sum(skin / 2, -rounded_product(64 * double(std::numeric_limits<T>::epsilon()), scale));
    return moved && !(rounded_root(squared) <= allowed);
}

/// Of an atom and its own image, or of two atoms: is this the one that a half list keeps?
LANEWORK_EVERYWHERE inline bool in_half_list(std::int32_t i, std::int32_t j, const Image3& s) {
    if (i != j) return i < j;
    if (s.a != 0) return s.a > 0;
    if (s.b != 0) return s.b > 0;
    return s.c > 0;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
