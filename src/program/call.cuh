// What the statements of `--call` are given: arrays by what they hold, of each parameter's own type. Behind the
// statements those that may have been written are printed. Plain CUDA C++17, for every compiler of programs; it stands
// ahead of the program's own file, whose macros are its own.
#pragma once

#include <charconv>
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

/// Exit statuses of Lanework's commands.
constexpr int kUsage = 2, kFile = 6;

[[noreturn]] inline void fail(const std::string& why, int status) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(status);
}

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
template <class T>
using ScalarOf = typename Scalars<std::remove_cv_t<std::remove_all_extents_t<T>>>::Type;
template <class Scalar>
constexpr bool kIsNumber = std::is_arithmetic_v<Scalar> || std::is_convertible_v<Scalar, float>;

/// Whole numbers of 64 bits are long doubles without loss.
template <class Scalar>
Scalar number(long double value) {
    if constexpr (std::is_same_v<Scalar, bool>)
        return value != 0;
    else if constexpr (std::is_integral_v<Scalar>)
        return value < 0 ? static_cast<Scalar>(static_cast<long long>(value))
                         : static_cast<Scalar>(static_cast<unsigned long long>(value));
    else if constexpr (std::is_arithmetic_v<Scalar>)
        return static_cast<Scalar>(value);
    else
        return Scalar(static_cast<float>(value));  // __half, __nv_bfloat16
}
template <class Scalar>
long double value_of(const Scalar& scalar) {
    if constexpr (std::is_arithmetic_v<Scalar>)
        return static_cast<long double>(scalar);
    else
        return static_cast<long double>(static_cast<float>(scalar));
}
/// As %g does where the decimal point is one.
inline void print_real(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
    std::fwrite(text, 1, static_cast<std::size_t>(end.ptr - text), stdout);
}
template <class Scalar>
void print_number(long double value) {
    if constexpr (std::is_integral_v<Scalar>)
        value < 0 ? std::printf("%lld", static_cast<long long>(value))
                  : std::printf("%llu", static_cast<unsigned long long>(value));
    else
        print_real(static_cast<double>(value));
}

/// NumPy's name of a type that its files hold, without the order of bytes: "f4"; empty for others.
template <class Scalar>
std::string numpy_type() {
    if constexpr (std::is_same_v<Scalar, bool>)
        return "b1";
    else if constexpr (std::is_integral_v<Scalar>)
        return (std::is_signed_v<Scalar> ? "i" : "u") + std::to_string(sizeof(Scalar));
    else if constexpr (std::is_floating_point_v<Scalar>)
        return "f" + std::to_string(sizeof(Scalar));
    else if constexpr (kIsNumber<Scalar>)  // a __nv_bfloat16 has no such digit
        return sizeof(Scalar) == 2 && value_of(number<Scalar>(1.0 + 0x1p-10)) != 1 ? "f2" : "";
    else
        return "";
}

inline bool is_good(cudaError_t error) {
    if (error != cudaSuccess) std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

/// How many numbers the shape in a NumPy file's header has: "'shape': (3, 2), ".
inline std::size_t count_of_shape(const std::string& header) {
    std::size_t count = 1, at = header.find('(', header.find("'shape'"));
    const std::size_t end = header.find(')', at);
    while (at != header.npos && at < end) {
        const std::size_t digits = header.find_first_of("0123456789", at);
        if (digits >= end) break;
        count *= std::strtoull(header.c_str() + digits, nullptr, 10);
        at = header.find_first_not_of("0123456789", digits);
    }
    return count;
}

/// The elements of a NumPy file whose type this is.
template <class Scalar>
std::vector<unsigned char> load_file(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (!file) fail(path + ": there is no such file, or it cannot be read", kFile);
    std::vector<unsigned char> bytes;
    unsigned char part[4096];
    for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) > 0;)
        bytes.insert(bytes.end(), part, part + got);
    std::fclose(file);
    // "\x93NUMPY", version, the header's length in two bytes (four since version 2), the header, the elements.
    if (bytes.size() < 12 || std::string(bytes.begin(), bytes.begin() + 6) != "\x93NUMPY")
        fail(path + ": is no NumPy file (.npy)", kFile);
    const std::size_t begin = bytes[6] == 1 ? 10 : 12;
    std::size_t length = bytes[8] | std::size_t{bytes[9]} << 8;
    if (begin == 12) length |= std::size_t{bytes[10]} << 16 | std::size_t{bytes[11]} << 24;
    if (begin + length > bytes.size()) fail(path + ": is cut off", kFile);
    const auto elements = bytes.begin() + static_cast<std::ptrdiff_t>(begin + length);
    const std::string header(bytes.begin() + static_cast<std::ptrdiff_t>(begin), elements);
    const std::size_t descr = header.find("'descr'"),
                      quote = header.find('\'', descr == header.npos ? descr : descr + 7);
    const std::string type =
        quote == header.npos ? "?" : header.substr(quote + 1, header.find('\'', quote + 1) - quote - 1);
    const std::string wanted = numpy_type<Scalar>();
    if (wanted.empty()) fail(path + ": NumPy has no numbers of the parameter's type", kFile);
    if (type != "<" + wanted && type != "|" + wanted)
        fail(path + ": holds elements of type " + type + ", and the parameter's are " + wanted, kFile);
    if (header.find("'fortran_order': True") != header.npos)
        fail(path + ": is in Fortran's order; save numpy.ascontiguousarray(…)", kFile);
    bytes.erase(bytes.begin(), elements);
    if (bytes.size() != count_of_shape(header) * sizeof(Scalar)) fail(path + ": is cut off", kFile);
    if (bytes.empty()) fail(path + ": holds nothing", kFile);
    return bytes;
}

/// Where in the statements an array is named, and how: what each of their words is given first.
struct At {
    int place;
    const char* text;
};

/// What was handed to the statements as a T*.
struct Given {
    At at;
    void* data;
    /// Null where it cannot have been written, or holds no numbers.
    void (*print)(const Given&);
    std::size_t count;
};
inline std::vector<Given>& given() {
    static std::vector<Given> all;
    return all;
}

/// The first numbers, the least, the greatest and the mean.
template <class Scalar>
void print(const Given& array) {
    std::vector<unsigned char> bytes(array.count * sizeof(Scalar));  // a vector of bool has no elements to copy to
    if (!is_good(cudaMemcpy(bytes.data(), array.data, bytes.size(), cudaMemcpyDeviceToHost))) return;
    const auto* const scalars = reinterpret_cast<const Scalar*>(bytes.data());
    constexpr std::size_t kShown = 8;
    std::printf("%s:", array.at.text);
    long double least = 0, greatest = 0, sum = 0;
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < array.count; ++i) {
        const long double value = value_of(scalars[i]);
        if (i < kShown) {
            std::printf(" ");
            print_number<Scalar>(value);
        }
        if (value != value) continue;
        least = numbers == 0 || value < least ? value : least;
        greatest = numbers == 0 || value > greatest ? value : greatest;
        sum += value;
        ++numbers;
    }
    if (array.count > kShown) std::printf(" …");
    if (numbers > 0) {
        std::printf("; least ");
        print_number<Scalar>(least);
        std::printf(", greatest ");
        print_number<Scalar>(greatest);
        std::printf(", mean ");
        print_real(static_cast<double>(sum / static_cast<long double>(numbers)));
    }
    if (numbers < array.count) std::printf("; %zu are NaN", array.count - numbers);
    std::printf("\n");
}

enum class Content { empty, zeros, ones, arange, full, random, load };

/// Becomes device memory of `count` elements of the parameter's own type; the same memory where it is used again.
class Array {
public:
    At at;
    Content content = Content::empty;
    long long count = 0;
    long double value = 0;
    /// Drawn from `value` on and below `high`.
    long double high = 0;
    bool bounded = false;
    const char* path = nullptr;

    template <class T>
    operator T*() const {  // NOLINT(google-explicit-constructor): it stands for a pointer
        static_assert(!std::is_void_v<T>, "a void* has no type of elements: cast the array to the type that is meant");
        using Scalar = ScalarOf<T>;
        if (data_ == nullptr) make<Scalar>(sizeof(T) / sizeof(Scalar), std::is_const_v<T>);
        if (bytes_ != sizeof(T)) fail(std::string(at.text) + ": is used as elements of two sizes", kUsage);
        return static_cast<T*>(data_);
    }

private:
    template <class Scalar>
    void make(std::size_t scalars_each, bool constant) const {
        std::vector<unsigned char> held;
        if constexpr (kIsNumber<Scalar>) {
            if (content == Content::load) held = load_file<Scalar>(path);
        } else if (content != Content::zeros && content != Content::empty) {
            fail(std::string(at.text) +
                     ": what is no number can be zeros(…) or empty(…) alone; write a main that fills it",
                 kUsage);
        }
        bytes_ = scalars_each * sizeof(Scalar);
        constexpr std::size_t kMost = std::size_t{1} << 46;
        if (count < 0 || static_cast<std::size_t>(count) > kMost / bytes_)
            fail(std::string(at.text) + ": is no number of elements that memory holds", kUsage);
        const std::size_t scalars =
            content == Content::load ? held.size() / sizeof(Scalar) : static_cast<std::size_t>(count) * scalars_each;
        if (const cudaError_t error = cudaMalloc(&data_, scalars * sizeof(Scalar)); error != cudaSuccess)
            fail(std::string(at.text) + ": " + cudaGetErrorString(error), 1);
        if (content == Content::zeros) {
            is_good(cudaMemset(data_, 0, scalars * sizeof(Scalar)));
        } else if (content != Content::empty) {
            if constexpr (kIsNumber<Scalar>)
                if (content != Content::load) held = filled<Scalar>(scalars);
            is_good(cudaMemcpy(data_, held.data(), held.size(), cudaMemcpyHostToDevice));
        }
        void (*printer)(const Given&) = nullptr;
        if constexpr (kIsNumber<Scalar>)
            if (!constant) printer = &print<Scalar>;
        given().push_back({at, data_, printer, scalars});
    }

    template <class Scalar>
    std::vector<unsigned char> filled(std::size_t scalars) const {
        std::vector<unsigned char> bytes(scalars * sizeof(Scalar));
        auto* const numbers = reinterpret_cast<Scalar*>(bytes.data());
        for (std::size_t i = 0; i < scalars; ++i) {
            numbers[i] = content == Content::random   ? drawn<Scalar>(i)
                         : content == Content::arange ? number<Scalar>(static_cast<long double>(i))
                                                      : number<Scalar>(value);
        }
        return bytes;
    }

    /// The same in each run: splitmix64 of the place. Without bounds -1 to 1; whole numbers 0 to 99, truths 0 and 1.
    template <class Scalar>
    Scalar drawn(std::size_t i) const {
        std::uint64_t bits = ((static_cast<std::uint64_t>(at.place) << 40) + i + 1) * 0x9e3779b97f4a7c15u;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
        const double unit = static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
        if constexpr (std::is_same_v<Scalar, bool>) {
            return !(unit < 0.5);
        } else {
            constexpr bool kWhole = std::is_integral_v<Scalar>;
            const long double low = bounded ? value : kWhole ? 0 : -1, end = bounded ? high : kWhole ? 100 : 1;
            const long double wanted = low + unit * (end - low);
            const Scalar result = number<Scalar>(kWhole ? std::floor(wanted) : wanted);
            return value_of(result) < end ? result : number<Scalar>(low);  // it was rounded up
        }
    }

    mutable void* data_ = nullptr;
    mutable std::size_t bytes_ = 0;
};

inline Array array(At at, Content content, long long count) {
    Array made;
    made.at = at, made.content = content, made.count = count;
    return made;
}
inline Array empty(At at, long long count) { return array(at, Content::empty, count); }
inline Array zeros(At at, long long count) { return array(at, Content::zeros, count); }
inline Array arange(At at, long long count) { return array(at, Content::arange, count); }
inline Array full(At at, long long count, long double value) {
    Array made = array(at, Content::full, count);
    made.value = value;
    return made;
}
inline Array ones(At at, long long count) { return full(at, count, 1); }
inline Array random(At at, long long count) { return array(at, Content::random, count); }
inline Array random(At at, long long count, long double low, long double high) {
    Array made = full(at, count, low);
    made.content = Content::random, made.high = high, made.bounded = true;
    if (!(low < high)) fail(std::string(at.text) + ": the second bound is above the first", kUsage);
    return made;
}
inline Array load(At at, const char* path) {
    Array made = array(at, Content::load, 0);
    made.path = path;
    return made;
}

/// Writes `count` elements of device memory to a NumPy file, in one dimension.
template <class T>
void save(At at, const char* path, const T* data, long long count) {
    using Scalar = ScalarOf<T>;
    const std::string type = numpy_type<Scalar>();
    if (type.empty()) fail(std::string(path) + ": NumPy has no numbers of this type", kUsage);
    if (count < 0) fail(std::string(at.text) + ": is no number of elements", kUsage);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(count) * sizeof(T));
    if (!is_good(cudaDeviceSynchronize())) std::exit(1);
    if (const cudaError_t error = cudaMemcpy(bytes.data(), data, bytes.size(), cudaMemcpyDeviceToHost);
        error != cudaSuccess)
        fail(std::string(at.text) + ": " + cudaGetErrorString(error), 1);
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
    if (!file || std::fclose(file) != 0 || !written) fail(std::string(path) + ": cannot be written", kFile);
}

/// Waits, prints what may have been written, in the order of the text, and frees everything. The exit status of main.
inline int finish() {
    const cudaError_t launched = cudaGetLastError();
    const bool good = is_good(launched) && is_good(cudaDeviceSynchronize());
    std::vector<Given>& all = given();
    for (std::size_t i = 1; i < all.size(); ++i)  // few: in the order of their places
        for (std::size_t j = i; j > 0 && all[j].at.place < all[j - 1].at.place; --j) std::swap(all[j], all[j - 1]);
    for (const Given& each : all) {
        if (good && each.print) each.print(each);
        cudaFree(each.data);
    }
    return good ? 0 : 1;
}

}  // namespace lanework_call
