// Shifts of a kernel by any amount, as a GPU's instructions do them: the amount is a word of 32 bits without a sign,
// and by the width of what is shifted or more nothing is left of it but its sign. C++ leaves those undefined, and a
// processor takes the amount modulo the width.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cstdint>
#include <type_traits>

#ifdef __clang__  // a << n < 0, which a program writes, would be warned of as an overloaded operator's
#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"
#endif

namespace lanework_simt {

/// What cudafe puts between a shift and its amount: a << clamped << n, a <<= clamped = n.
struct Clamped {
    template <class Amount>
    struct By {
        Amount&& amount;
    };
    template <class Amount>
    [[gnu::always_inline]] constexpr By<Amount> operator=(Amount&& amount) const {  // NOLINT: no assignment
        return {static_cast<Amount&&>(amount)};
    }
};
inline constexpr Clamped clamped{};

namespace shifts {
template <class T>
inline constexpr bool is_shifted = std::is_integral_v<T> ||
                                   (std::is_enum_v<T> && std::is_convertible_v<T, unsigned long long>);

template <class T>
using Promoted = decltype(+T{});

/// Waits for its amount.
template <class T>
struct Left {
    T value;
};
/// What is no integer has operators of its own.
template <class T>
struct Other {
    T&& value;
};

/// All bits where an amount is less than a width, and none where it is not: in vectors one operation less than a
/// choice.
template <class Bits>
[[gnu::always_inline]] constexpr Bits kept(std::uint32_t by) {
    return static_cast<Bits>(Bits{0} - static_cast<Bits>(by < sizeof(Bits) * 8));
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr T left(T value, Amount amount) {
    using Bits = std::make_unsigned_t<T>;
    const auto by = static_cast<std::uint32_t>(amount);
    return static_cast<T>(static_cast<Bits>(value) << (by & (sizeof(T) * 8 - 1)) & kept<Bits>(by));
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr T right(T value, Amount amount) {
    constexpr std::uint32_t kMost = sizeof(T) * 8 - 1;
    const auto by = static_cast<std::uint32_t>(amount);
    if constexpr (std::is_signed_v<T>)
        return value >> (by < kMost ? by : kMost);
    else
        return value >> (by & kMost) & kept<T>(by);
}
}  // namespace shifts

template <class T, std::enable_if_t<shifts::is_shifted<T>, int> = 0>
[[gnu::always_inline]] constexpr shifts::Left<shifts::Promoted<T>> operator<<(T value, Clamped) {
    return {+value};
}
template <class T, std::enable_if_t<shifts::is_shifted<T>, int> = 0>
[[gnu::always_inline]] constexpr shifts::Left<shifts::Promoted<T>> operator>>(T value, Clamped) {
    return {+value};
}
template <class T, std::enable_if_t<!shifts::is_shifted<std::decay_t<T>>, int> = 0>
[[gnu::always_inline]] constexpr shifts::Other<T> operator<<(T&& value, Clamped) {
    return {static_cast<T&&>(value)};
}
template <class T, std::enable_if_t<!shifts::is_shifted<std::decay_t<T>>, int> = 0>
[[gnu::always_inline]] constexpr shifts::Other<T> operator>>(T&& value, Clamped) {
    return {static_cast<T&&>(value)};
}

namespace shifts {
template <class T, class Amount, std::enable_if_t<is_shifted<Amount>, int> = 0>
[[gnu::always_inline]] constexpr T operator<<(Left<T> value, Amount amount) {
    return left(value.value, +amount);
}
template <class T, class Amount, std::enable_if_t<is_shifted<Amount>, int> = 0>
[[gnu::always_inline]] constexpr T operator>>(Left<T> value, Amount amount) {
    return right(value.value, +amount);
}
template <class T, class Amount, std::enable_if_t<!is_shifted<std::decay_t<Amount>>, int> = 0>
[[gnu::always_inline]] constexpr decltype(auto) operator<<(Left<T> value, Amount&& amount) {
    return value.value << static_cast<Amount&&>(amount);
}
template <class T, class Amount, std::enable_if_t<!is_shifted<std::decay_t<Amount>>, int> = 0>
[[gnu::always_inline]] constexpr decltype(auto) operator>>(Left<T> value, Amount&& amount) {
    return value.value >> static_cast<Amount&&>(amount);
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr decltype(auto) operator<<(Other<T> value, Amount&& amount) {
    return static_cast<T&&>(value.value) << static_cast<Amount&&>(amount);
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr decltype(auto) operator>>(Other<T> value, Amount&& amount) {
    return static_cast<T&&>(value.value) >> static_cast<Amount&&>(amount);
}
}  // namespace shifts

template <class T, class Amount>
[[gnu::always_inline]] constexpr decltype(auto) operator<<=(T&& value, Clamped::By<Amount> by) {
    using Value = std::decay_t<T>;
    if constexpr (shifts::is_shifted<Value> && shifts::is_shifted<std::decay_t<Amount>>)
        return value = static_cast<Value>(shifts::left(+value, +by.amount));
    else
        return static_cast<T&&>(value) <<= static_cast<Amount&&>(by.amount);
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr decltype(auto) operator>>=(T&& value, Clamped::By<Amount> by) {
    using Value = std::decay_t<T>;
    if constexpr (shifts::is_shifted<Value> && shifts::is_shifted<std::decay_t<Amount>>)
        return value = static_cast<Value>(shifts::right(+value, +by.amount));
    else
        return static_cast<T&&>(value) >>= static_cast<Amount&&>(by.amount);
}

}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
