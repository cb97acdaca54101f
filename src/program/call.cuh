// What the statements of `--call` are given: arrays by what they hold. Behind the statements each array that they may
// have written is printed. Plain CUDA C++17, for every compiler of programs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
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

/// NumPy's name of a type that its files hold, without the order of bytes: "f4"; empty for others.
template <class Scalar>
std::string numpy_type() {
    if constexpr (std::is_same_v<Scalar, bool>) return "b1";
    if constexpr (std::is_integral_v<Scalar>)
        return (std::is_signed_v<Scalar> ? "i" : "u") + std::to_string(sizeof(Scalar));
    if constexpr (std::is_floating_point_v<Scalar>) return "f" + std::to_string(sizeof(Scalar));
    return sizeof(Scalar) == 2 && value_of(number<Scalar>(1.0 + 0x1p-10)) != 1
               ? "f2"
               : "";  // a __nv_bfloat16 has no such digit
}

[[noreturn]] inline void fail(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

/// The elements of a NumPy file whose type this is.
template <class Scalar>
std::vector<unsigned char> load_file(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (!file) fail(path + ": there is no such file, or it cannot be read");
    std::vector<unsigned char> bytes;
    unsigned char part[4096];
    for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) > 0;)
        bytes.insert(bytes.end(), part, part + got);
    std::fclose(file);
    // "\x93NUMPY", version, the header's length in two bytes (four since version 2), the header, the elements.
    if (bytes.size() < 12 || std::string(bytes.begin(), bytes.begin() + 6) != "\x93NUMPY")
        fail(path + ": is no NumPy file (.npy)");
    const std::size_t begin = bytes[6] == 1 ? 10 : 12;
    std::size_t length = bytes[8] | std::size_t{bytes[9]} << 8;
    if (begin == 12) length |= std::size_t{bytes[10]} << 16 | std::size_t{bytes[11]} << 24;
    if (begin + length > bytes.size()) fail(path + ": is cut off");
    const std::string header(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                             bytes.begin() + static_cast<std::ptrdiff_t>(begin + length));
    const std::size_t descr = header.find("'descr'"),
                      quote = header.find('\'', descr == header.npos ? descr : descr + 7);
    const std::string type =
        quote == header.npos ? "?" : header.substr(quote + 1, header.find('\'', quote + 1) - quote - 1);
    const std::string wanted = numpy_type<Scalar>();
    if (wanted.empty()) fail(path + ": NumPy has no numbers of the parameter's type");
    if (type != "<" + wanted && type != "|" + wanted)
        fail(path + ": holds elements of type " + type + ", and the parameter's are " + wanted);
    if (header.find("'fortran_order': True") != header.npos)
        fail(path + ": is in Fortran's order; save numpy.ascontiguousarray(…)");
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin + length));
    if (bytes.empty() || bytes.size() % sizeof(Scalar) != 0) fail(path + ": is cut off, or holds nothing");
    return bytes;
}

enum class Content { empty, zeros, ones, arange, full, random, load };

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
    static Array of_file(int place, const char* text, const char* path) {
        Array array(place, text, Content::load, 0);
        array.path_ = path;
        return array;
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
        std::vector<unsigned char> held;
        if constexpr (kIsNumber<Scalar>) {
            if (content_ == Content::load) held = load_file<Scalar>(path_);
        } else if (content_ == Content::load) {
            fail(std::string(path_) + ": NumPy has no numbers of the parameter's type");
        }
        const std::size_t scalars =
            content_ == Content::load ? held.size() / sizeof(Scalar) : count_ * (sizeof(T) / sizeof(Scalar));
        void* data = nullptr;
        if (!is_good(cudaMalloc(&data, scalars * sizeof(Scalar)))) return nullptr;
        if (content_ == Content::load)
            is_good(cudaMemcpy(data, held.data(), held.size(), cudaMemcpyHostToDevice));
        else
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
            fail(std::string(text_) +
                 ": what is no number can be zeros(…) or empty(…) alone; write a main that fills it");
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
    const char* path_ = nullptr;
    double low_ = 0, high_ = 0;
    bool bounded_ = false;
};

/// Writes `count` elements of device memory to a NumPy file, in one dimension.
template <class T>
void save(const char* path, const T* data, std::size_t count) {
    using Element = std::remove_all_extents_t<T>;
    using Scalar = typename Scalars<Element>::Type;
    const std::string type = numpy_type<Scalar>();
    if (type.empty()) fail(std::string(path) + ": NumPy has no numbers of this type");
    std::vector<unsigned char> bytes(count * sizeof(T));
    if (!is_good(cudaDeviceSynchronize()) ||
        !is_good(cudaMemcpy(bytes.data(), data, bytes.size(), cudaMemcpyDeviceToHost)))
        std::exit(1);
    std::string header = "{'descr': '" + std::string(sizeof(Scalar) == 1 ? "|" : "<") + type +
                         "', 'fortran_order': False, 'shape': (" + std::to_string(bytes.size() / sizeof(Scalar)) +
                         ",), }";
    constexpr std::size_t kAligned = 64, kBefore = 10;
    header.resize((kBefore + header.size() + kAligned) / kAligned * kAligned - kBefore, ' ');
    header.back() = '\n';
    const std::string before = std::string("\x93NUMPY\x01") + '\0' + static_cast<char>(header.size() & 255) +
                               static_cast<char>(header.size() >> 8);
    std::FILE* const file = std::fopen(path, "wb");
    const bool written = file && std::fwrite(before.data(), 1, before.size(), file) == before.size() &&
                         std::fwrite(header.data(), 1, header.size(), file) == header.size() &&
                         std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (!file || std::fclose(file) != 0 || !written) fail(std::string(path) + ": cannot be written");
}

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
#define load(path) ::lanework_call::Array::of_file(__COUNTER__ - ::lanework_call::kCounted, "load(" #path ")", path)
#define save(...) ::lanework_call::save(__VA_ARGS__)
