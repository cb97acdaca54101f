// The error of each elementary function on float that kernels use, against the C library's in double: of those of one
// argument over every float, of those of two over a grid of special values and random pairs. A line each: the name, the
// largest error in units of the last place, and how many results were wrong where a result has no such error (not a
// number, infinite, the sign of zero). Arguments: take every n-th float, and so many random pairs.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <lanework_simt/float_functions.hpp>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace floats = lanework_simt::floats;

static double last_place(double value) {
    const double size = std::fabs(value);
    if (size < 0x1p-126) return 0x1p-149;
    int exponent;
    std::frexp(size, &exponent);
    return std::ldexp(1.0, exponent - 24);
}

struct Errors {
    double largest = 0;
    unsigned long wrong = 0;
    void see(float got, double exact) {
        const float rounded = static_cast<float>(exact);
        if (std::isnan(rounded) || std::isnan(got)) {
            wrong += std::isnan(rounded) != std::isnan(got);
        } else if (std::isinf(rounded) || std::isinf(got)) {
            wrong += got != rounded;
        } else {
            if (got == 0 && rounded == 0) wrong += std::signbit(got) != std::signbit(rounded);
            largest = std::fmax(largest, std::fabs(got - exact) / last_place(exact));
        }
    }
    void add(const Errors& other) {
        largest = std::fmax(largest, other.largest);
        wrong += other.wrong;
    }
};

/// Runs `part(i, errors)` for i below `parts` on all processors.
template <class Part>
static void report(const char* name, unsigned parts, const Part& part) {
    std::atomic<unsigned> next{0};
    std::mutex mutex;
    Errors all;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back([&] {
            Errors errors;
            for (unsigned at; (at = next++) < parts;) part(at, errors);
            const std::lock_guard lock(mutex);
            all.add(errors);
        });
    for (std::thread& thread : threads) thread.join();
    std::printf("%s %.6f %lu\n", name, all.largest, all.wrong);
    std::fflush(stdout);
}

constexpr unsigned kParts = 1 << 12;
static float of_bits(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class Function, class Exact>
static void over_all(const char* name, unsigned every, const Function& function, const Exact& exact) {
    report(name, kParts, [&](unsigned part, Errors& errors) {
        constexpr std::uint64_t kCount = (std::uint64_t{1} << 32) / kParts;
        const std::uint64_t first = part * kCount;
        for (std::uint64_t bits = first + (every - first % every) % every; bits < first + kCount; bits += every) {
            const float x = of_bits(static_cast<std::uint32_t>(bits));
            errors.see(function(x), exact(static_cast<double>(x)));
        }
    });
}

template <class Function, class Exact>
static void over_pairs(const char* name, std::uint64_t pairs, const Function& function, const Exact& exact) {
    std::vector<float> special;
    for (const float x :
         {0.f,   0x1p-149f,       0x1p-126f, 0.5f,       1 - 0x1p-24f, 1.f,        1 + 0x1p-23f, 1.5f,  2.f,   3.f,
          7.f,   8388607.f,       8388608.f, 16777215.f, 16777216.f,   33554432.f, 127.f,        128.f, 149.f, 150.f,
          151.f, 0x1.fffffep127f, INFINITY,  NAN}) {
        special.push_back(x);
        special.push_back(-x);
    }
    report(name, kParts, [&](unsigned part, Errors& errors) {
        const auto see = [&](float x, float y) { errors.see(function(x, y), exact(double(x), double(y))); };
        if (part == 0)
            for (const float x : special)
                for (const float y : special) see(x, y);
        std::mt19937_64 random(part);
        for (std::uint64_t i = 0; i < pairs / kParts; ++i) {
            const std::uint64_t bits = random();
            const auto low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32);
            const float base = std::exp2(60 * (low * 0x1p-32f) - 30), power = 20 * (high * 0x1p-32f) - 10;
            switch (i % 4) {
                case 0: see(of_bits(low), of_bits(high)); break;
                case 1: see(base, power); break;
                case 2: see(-base, std::rint(power)); break;
                default: see(1 + (base - 1) * 0x1p-10f, power * 0x1p13f);
            }
        }
    });
}

int main(int argc, char** argv) {
    const unsigned every = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
    const std::uint64_t pairs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::uint64_t{1} << 30;
#define ONE(name) \
    over_all(     \
        #name "f", every, [](float x) { return floats::name(x); }, [](double x) { return ::name(x); })
    ONE(sin);
    ONE(cos);
    ONE(tan);
    ONE(asin);
    ONE(acos);
    ONE(atan);
    ONE(sinh);
    ONE(cosh);
    ONE(tanh);
    ONE(exp);
    ONE(exp2);
    ONE(exp10);
    ONE(expm1);
    ONE(log);
    ONE(log2);
    ONE(log10);
    ONE(log1p);
#define TWO(name)                                                              \
    over_pairs(                                                                \
        #name "f", pairs, [](float x, float y) { return floats::name(x, y); }, \
        [](double x, double y) { return ::name(x, y); })
    TWO(pow);
    TWO(atan2);
}
