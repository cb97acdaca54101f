// Registers of inline PTX: variables of their width. as<T> reads one as an instruction's type, put() writes one.
#pragma once

#include <lanework_simt/qualifiers.hpp>
#include <type_traits>

namespace lanework_simt::ptx {

template <class To, class From>
LANEWORK_SIMT_BUILTIN To bits_as(From from) {
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}

/// The bits of a register as another type of the same width; numbers, and registers that are wider or narrower, are
/// converted.
template <class To, class From>
LANEWORK_SIMT_BUILTIN To as(From from) {
    if constexpr (std::is_same_v<To, From>)
        return from;
    else if constexpr (std::is_same_v<To, bool>)
        return from != 0;
    else if constexpr (std::is_arithmetic_v<To> && std::is_floating_point_v<To> == std::is_floating_point_v<From>)
        return static_cast<To>(from);
    else if constexpr (sizeof(To) == sizeof(From))
        return bits_as<To>(from);
    else if constexpr (std::is_integral_v<From> && sizeof(To) == 2)
        return bits_as<To>(static_cast<unsigned short>(from));
    else if constexpr (std::is_integral_v<From> && sizeof(To) == 4)
        return bits_as<To>(static_cast<unsigned int>(from));
    else if constexpr (std::is_integral_v<To> && sizeof(From) == 2)
        return static_cast<To>(bits_as<unsigned short>(from));
    else
        return static_cast<To>(from);
}

template <class Register, class T>
LANEWORK_SIMT_BUILTIN void put(Register& to, T value) {
    to = as<Register>(value);
}

/// What nobody reads.
struct Sink {
    static inline thread_local unsigned long long value = 0;
};

/// A program's expression as the register that its constraint names.
template <class Register, class T>
LANEWORK_SIMT_BUILTIN Register bound(const T& value) {
    if constexpr (std::is_pointer_v<T>) {
        return static_cast<Register>(reinterpret_cast<unsigned long long>(value));
    } else if constexpr (std::is_array_v<T>) {
        return static_cast<Register>(reinterpret_cast<unsigned long long>(&value[0]));
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<Register>(value);
    } else {
        static_assert(sizeof(T) <= sizeof(Register), "an operand of inline PTX is wider than its constraint says");
        return as<Register>(value);
    }
}
template <class T, class Register>
LANEWORK_SIMT_BUILTIN void give_back(T& to, Register value) {
    if constexpr (std::is_pointer_v<T>)
        to = reinterpret_cast<T>(static_cast<unsigned long long>(value));
    else if constexpr (std::is_enum_v<T>)
        to = static_cast<T>(value);
    else
        to = as<std::remove_volatile_t<T>>(value);
}

LANEWORK_SIMT_BUILTIN float float_of(unsigned int bits) { return bits_as<float>(bits); }
LANEWORK_SIMT_BUILTIN double double_of(unsigned long long bits) { return bits_as<double>(bits); }

/// Two or four registers as one, the first the lowest bits.
template <class Whole, class Low, class High>
LANEWORK_SIMT_BUILTIN Whole pack(Low low, High high) {
    static_assert(2 * sizeof(Low) == sizeof(Whole) || std::is_same_v<Low, long long>, "two halves make the whole");
    constexpr unsigned kBits = sizeof(Whole) * 4;
    using Word = std::conditional_t<sizeof(Whole) == 8, unsigned long long, unsigned int>;
    using Half = std::conditional_t<sizeof(Whole) == 8, unsigned int, unsigned short>;
    return as<Whole>(static_cast<Word>(static_cast<Word>(as<Half>(high)) << kBits | as<Half>(low)));
}
template <class Whole>
LANEWORK_SIMT_BUILTIN Whole pack(unsigned short a, unsigned short b, unsigned short c, unsigned short d) {
    return as<Whole>(static_cast<unsigned long long>(d) << 48 | static_cast<unsigned long long>(c) << 32 |
                     static_cast<unsigned long long>(b) << 16 | a);
}
template <class Whole, class Low, class High>
LANEWORK_SIMT_BUILTIN void unpack(Whole whole, Low& low, High& high) {
    using Word = std::conditional_t<sizeof(Whole) == 8, unsigned long long, unsigned int>;
    using Half = std::conditional_t<sizeof(Whole) == 8, unsigned int, unsigned short>;
    const Word bits = as<Word>(whole);
    put(low, static_cast<Half>(bits));
    put(high, static_cast<Half>(bits >> sizeof(Whole) * 4));
}
template <class Whole, class A, class B, class C, class D>
LANEWORK_SIMT_BUILTIN void unpack(Whole whole, A& a, B& b, C& c, D& d) {
    const unsigned long long bits = as<unsigned long long>(whole);
    put(a, static_cast<unsigned short>(bits));
    put(b, static_cast<unsigned short>(bits >> 16));
    put(c, static_cast<unsigned short>(bits >> 32));
    put(d, static_cast<unsigned short>(bits >> 48));
}

}  // namespace lanework_simt::ptx
