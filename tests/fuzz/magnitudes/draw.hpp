// Numbers that break programs: the ends of every type, what lies beside them, and ordinary ones between, from a seed.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace lanework::magnitudes {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

    std::uint64_t bits() {  // SplitMix64
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
        return z ^ z >> 31;
    }
    /// From 0 to bound − 1.
    int below(int bound) { return static_cast<int>(bits() % static_cast<std::uint64_t>(bound)); }
    /// Once in so many times.
    bool once_in(int times) { return below(times) == 0; }
    double ordinary(double low, double high) {
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    template <class T, std::size_t kCount>
    const T& of(const T (&values)[kCount]) {
        return values[below(static_cast<int>(kCount))];
    }

    /// ±0, denormals, the largest and its half, infinities, NaN, ordinary ones, and any pattern of bits.
    template <class T>
    T real() {
        using Limits = std::numeric_limits<T>;
        const T most = Limits::max(), least = Limits::min();
        const T values[] = {0,
                            1,
                            T(0.5),
                            2,
                            T(3.7),
                            most,
                            most / 2,
                            std::nextafter(most, T{0}),
                            least,
                            least / 2,
                            Limits::denorm_min(),
                            Limits::epsilon(),
                            Limits::infinity(),
                            Limits::quiet_NaN(),
                            T(1e30),
                            T(1e-30),
                            T(255),
                            T(256),
                            T(0x1p24),
                            T(0x1p31),
                            T(0x1p32),
                            T(0x1p63),
                            std::sqrt(most),
                            std::sqrt(least),
                            std::nextafter(T{1}, T{2})};
        T value = of(values);
        switch (below(8)) {
            case 0: value = static_cast<T>(ordinary(-10, 10)); break;
            case 1: value = std::bit_cast<T>(static_cast<BitsOf<sizeof(T)>>(bits())); break;
            case 2:
                value =
                    static_cast<T>(std::ldexp(ordinary(1, 2), below(2 * Limits::max_exponent) - Limits::max_exponent));
                break;
            default: break;
        }
        return once_in(2) ? value : -value;
    }
    /// Around 0, 2³¹, 2³² and 2⁶³, small, odd and negative ones.
    std::int64_t whole() {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t kValues[] = {0,
                                            1,
                                            2,
                                            3,
                                            7,
                                            255,
                                            256,
                                            65535,
                                            65536,
                                            (1LL << 31) - 1,
                                            1LL << 31,
                                            (1LL << 31) + 1,
                                            (1LL << 32) - 1,
                                            1LL << 32,
                                            (1LL << 32) + 1,
                                            1LL << 62,
                                            kMost,
                                            kMost - 1};
        if (once_in(4)) return static_cast<std::int64_t>(bits() >> below(64));
        const std::int64_t value = of(kValues);
        return once_in(3) ? -value - below(2) : value;
    }
    std::int32_t whole32() { return static_cast<std::int32_t>(whole()); }
    /// A length that memory is there for, or one that no function may take.
    std::int64_t length(int most) {
        const std::int64_t wild = whole();
        return once_in(12) && (wild < 0 || wild > std::numeric_limits<std::int32_t>::max()) ? wild : below(most + 1);
    }
    template <class T>
    std::vector<T> reals(std::size_t count, bool tame = false) {
        std::vector<T> values(count);
        for (T& value : values) value = tame ? static_cast<T>(ordinary(-2, 2)) : real<T>();
        return values;
    }
    /// How a number might be typed.
    std::string text() {
        static constexpr const char* kWords[] = {"",
                                                 "0",
                                                 "-0",
                                                 "1",
                                                 "-1",
                                                 "+1",
                                                 "1e308",
                                                 "1e-400",
                                                 "1e400",
                                                 "inf",
                                                 "nan",
                                                 "2147483647",
                                                 "2147483648",
                                                 "4294967297",
                                                 "9223372036854775807",
                                                 "9223372036854775808",
                                                 "99999999999999999999999",
                                                 "1.5",
                                                 "0x10",
                                                 "1,2",
                                                 " 1",
                                                 "-9223372036854775808",
                                                 "x",
                                                 "½"};
        return once_in(2) ? of(kWords) : std::to_string(once_in(2) ? below(100) : whole());
    }

private:
    template <std::size_t kBytes>
    using BitsOf = std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>;

    std::uint64_t state_;
};

/// Throws unless it holds: the answer is wrong.
struct WrongAnswer : std::logic_error {
    using std::logic_error::logic_error;
};
inline void require(bool holds, const std::string& what) {
    if (!holds) throw WrongAnswer(what);
}

/// One public function, or several that belong together. A call returns, or throws what the function documents.
struct Fuzzed {
    const char* name;
    void (*call)(Draw&);
};
std::span<const Fuzzed> array_targets();
std::span<const Fuzzed> image_targets();
std::span<const Fuzzed> detection_targets();
std::span<const Fuzzed> particle_targets();
std::span<const Fuzzed> typed_targets();

}  // namespace lanework::magnitudes
