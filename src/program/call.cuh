// What the statements of `--call` are given: arrays by what they hold. Behind the statements each array that they may
// have written is printed. Plain CUDA C++17, for every compiler of programs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanework_call {

/// Of an element that is x, or x and y, … of one type and nothing else, as CUDA's vectors are: that type, and how many.
template <class T>
using X = std::decay_t<decltype(std::declval<T&>().x)>;
template <class T, class Member>
constexpr bool kIsLikeX = std::is_same_v<X<T>, std::decay_t<Member>>;
template <class T, class = void>
constexpr int kY = 0;
template <class T>
constexpr int kY<T, std::void_t<decltype(std::declval<T&>().y)>> = kIsLikeX<T, decltype(std::declval<T&>().y)>;
template <class T, class = void>
constexpr int kZ = 0;
template <class T>
constexpr int kZ<T, std::void_t<decltype(std::declval<T&>().z)>> = kIsLikeX<T, decltype(std::declval<T&>().z)>;
template <class T, class = void>
constexpr int kW = 0;
template <class T>
constexpr int kW<T, std::void_t<decltype(std::declval<T&>().w)>> = kIsLikeX<T, decltype(std::declval<T&>().w)>;

/// What an element holds: the type of CUDA's vectors' members; else the element itself.
template <class T, class = void>
struct Scalars {
    using Type = T;
};
template <class T>
struct Scalars<T, std::enable_if_t<sizeof(X<T>) * (1 + kY<T> + kZ<T> + kW<T>) == sizeof(T)>> {
    using Type = X<T>;
};

/// Numbers that are drawn are the same in each run: splitmix64 of their place.
inline double uniform(std::uint64_t place) {
    std::uint64_t bits = (place + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

template <class Scalar>
Scalar number(double value) {
    if constexpr (std::is_arithmetic_v<Scalar>)
        return static_cast<Scalar>(value);
    else
        return Scalar(static_cast<float>(value));  // __half, __nv_bfloat16
}
template <class Scalar>
double value_of(const Scalar& scalar) {
    if constexpr (std::is_arithmetic_v<Scalar>)
        return static_cast<double>(scalar);
    else
        return static_cast<double>(static_cast<float>(scalar));
}

enum class Content { empty, zeros, ones, arange, full, random };

/// What was handed to the statements as a T*.
struct Given {
    int place;
    const char* text;
    void* data;
    void (*print)(const Given&);
    std::size_t count;
};
inline std::vector<Given>& given() {
    static std::vector<Given> all;
    return all;
}

inline bool is_good(cudaError_t error) {
    if (error != cudaSuccess) std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

/// The first elements, the least, the greatest and the mean.
template <class Scalar>
void print(const Given& array) {
    std::vector<unsigned char> bytes(array.count * sizeof(Scalar));  // a vector of bool has no elements to copy to
    if (!is_good(cudaMemcpy(bytes.data(), array.data, bytes.size(), cudaMemcpyDeviceToHost))) return;
    const auto* const scalars = reinterpret_cast<const Scalar*>(bytes.data());
    constexpr std::size_t kShown = 8;
    std::printf("%s:", array.text);
    double least = 0, greatest = 0, sum = 0;
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < array.count; ++i) {
        const double value = value_of(scalars[i]);
        if (i < kShown) std::printf(" %g", value);
        if (value != value) continue;
        least = numbers == 0 || value < least ? value : least;
        greatest = numbers == 0 || value > greatest ? value : greatest;
        sum += value;
        ++numbers;
    }
    if (array.count > kShown) std::printf(" …");
    if (numbers > 0)
        std::printf("; least %g, greatest %g, mean %g", least, greatest, sum / static_cast<double>(numbers));
    if (numbers < array.count) std::printf("; %zu are NaN", array.count - numbers);
    std::printf("\n");
}

/// Becomes device memory of `count` elements of the parameter's own type.
class Array {
public:
    Array(int place, const char* text, Content content, std::size_t count)
        : place_(place), text_(text), content_(content), count_(count) {}
    Array(int place, const char* text, Content content, std::size_t count, double value)
        : Array(place, text, content, count) {
        low_ = value;
    }
    /// Drawn from `low` on and below `high`.
    Array(int place, const char* text, Content content, std::size_t count, double low, double high)
        : Array(place, text, content, count) {
        low_ = low, high_ = high, bounded_ = true;
    }

    template <class T>
    operator T*() const {  // NOLINT(google-explicit-constructor): it stands for a pointer
        static_assert(!std::is_void_v<T>, "a void* has no type of elements: cast the array to the type that is meant");
        using Element = std::remove_cv_t<std::remove_all_extents_t<T>>;
        using Scalar = typename Scalars<Element>::Type;
        const std::size_t scalars = count_ * (sizeof(T) / sizeof(Scalar));
        void* data = nullptr;
        if (!is_good(cudaMalloc(&data, scalars * sizeof(Scalar)))) return nullptr;
        fill<Scalar>(data, scalars);
        given().push_back({place_, text_, data, std::is_const_v<T> ? nullptr : printer<Scalar>(), scalars});
        return static_cast<T*>(data);
    }

private:
    template <class Scalar>
    static constexpr bool kIsNumber = std::is_arithmetic_v<Scalar> || std::is_convertible_v<Scalar, float>;

    template <class Scalar>
    static auto printer() -> void (*)(const Given&) {
        if constexpr (kIsNumber<Scalar>)
            return &print<Scalar>;
        else
            return nullptr;
    }

    template <class Scalar>
    void fill(void* data, std::size_t scalars) const {
        if (content_ == Content::empty) return;
        if constexpr (kIsNumber<Scalar>) {
            std::vector<unsigned char> bytes(scalars * sizeof(Scalar));
            auto* const numbers = reinterpret_cast<Scalar*>(bytes.data());
            for (std::size_t i = 0; i < scalars; ++i) numbers[i] = number<Scalar>(value<Scalar>(i));
            is_good(cudaMemcpy(data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
        } else if (content_ == Content::zeros) {
            is_good(cudaMemset(data, 0, scalars * sizeof(Scalar)));
        } else {
            std::fprintf(
                stderr, "%s: what is no number can be zeros(…) or empty(…) alone; write a main that fills it\n", text_);
            std::exit(1);
        }
    }

    template <class Scalar>
    double value(std::size_t i) const {
        switch (content_) {
            case Content::ones: return 1;
            case Content::arange: return static_cast<double>(i);
            case Content::full: return low_;
            case Content::random: return drawn<Scalar>(i);
            default: return 0;
        }
    }

    /// Without bounds -1 to 1; whole numbers 0 to 99, truths 0 and 1.
    template <class Scalar>
    double drawn(std::size_t i) const {
        const double unit = uniform((static_cast<std::uint64_t>(place_) << 40) + i);
        if constexpr (std::is_same_v<Scalar, bool>) return unit < 0.5 ? 0 : 1;
        constexpr bool kWhole = std::is_integral_v<Scalar>;
        const double low = bounded_ ? low_ : kWhole ? 0 : -1, high = bounded_ ? high_ : kWhole ? 100 : 1;
        const double wanted = low + unit * (high - low);
        return kWhole ? std::floor(wanted) : wanted;
    }

    int place_;
    const char* text_;
    Content content_;
    std::size_t count_;
    double low_ = 0, high_ = 0;
    bool bounded_ = false;
};

/// Waits, prints what may have been written, in the order of the text, and frees everything. The exit status of main.
inline int finish() {
    const cudaError_t launched = cudaGetLastError();
    const bool good = is_good(launched) && is_good(cudaDeviceSynchronize());
    std::vector<Given>& all = given();
    for (std::size_t i = 1; i < all.size(); ++i)  // few: in the order of their places
        for (std::size_t j = i; j > 0 && all[j].place < all[j - 1].place; --j) std::swap(all[j], all[j - 1]);
    for (const Given& each : all) {
        if (good && each.print) each.print(each);
        cudaFree(each.data);
    }
    return good ? 0 : 1;
}

/// What the program and its headers have counted before.
constexpr int kCounted = __COUNTER__;

}  // namespace lanework_call

#define LANEWORK_ARRAY(what, ...)                                                               \
    ::lanework_call::Array(__COUNTER__ - ::lanework_call::kCounted, #what "(" #__VA_ARGS__ ")", \
                           ::lanework_call::Content::what, __VA_ARGS__)
#define empty(...) LANEWORK_ARRAY(empty, __VA_ARGS__)
#define zeros(...) LANEWORK_ARRAY(zeros, __VA_ARGS__)
#define ones(...) LANEWORK_ARRAY(ones, __VA_ARGS__)
#define arange(...) LANEWORK_ARRAY(arange, __VA_ARGS__)
#define full(...) LANEWORK_ARRAY(full, __VA_ARGS__)
#define random(...) LANEWORK_ARRAY(random, __VA_ARGS__)
