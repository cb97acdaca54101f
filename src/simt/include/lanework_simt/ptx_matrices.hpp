// What the lanes of a warp do with matrices by inline PTX: mma.sync, ldmatrix, stmatrix, movmatrix. Which lane holds
// which element is PTX's own: lane 4g + t holds elements of row g (of b: of column g), t times as many as a register
// has from the first on.
#pragma once

#include <lanework_simt/ptx.hpp>
#include <lanework_simt/quiet.hpp>

#if defined(LANEWORK_SIMT_WATCHED)
extern "C" {
void __tsan_read16(void* address);
void __tsan_write16(void* address);
}
#endif

namespace lanework_simt::ptx {

/// A lane's registers of a matrix.
template <class Register, unsigned Count>
using Registers = Vector<Register, Count>;

namespace matrices {

/// Elements of four bits.
struct Nibble {};
struct UnsignedNibble {};
/// A float whose last 13 bits are not looked at.
struct Tf32 {};

/// How a register holds elements of a type, and what products of them are summed in: sums are rounded once.
template <class T>
struct Element;
template <>
struct Element<Half> {
    using Register = unsigned int;
    using Value = float;
    using Sum = double;
    static constexpr unsigned kInRegister = 2;
    static float at(unsigned int bits, unsigned i) {
        return lanework::to_float(lanework::float16{(unsigned short)(bits >> 16 * i)});
    }
};
template <>
struct Element<Brain> : Element<Half> {
    static float at(unsigned int bits, unsigned i) {
        return lanework::to_float(lanework::bfloat16{(unsigned short)(bits >> 16 * i)});
    }
};
template <>
struct Element<Tf32> : Element<Half> {
    static constexpr unsigned kInRegister = 1;
    static float at(unsigned int bits, unsigned) { return bits_as<float>(bits & ~0x1fffu); }
};
template <>
struct Element<double> {
    using Register = double;
    using Value = double;
    using Sum = double;
    static constexpr unsigned kInRegister = 1;
    static double at(double value, unsigned) { return value; }
};
template <>
struct Element<signed char> {
    using Register = unsigned int;
    using Value = int;
    using Sum = long long;
    static constexpr unsigned kInRegister = 4;
    static int at(unsigned int bits, unsigned i) { return (signed char)(bits >> 8 * i); }
};
template <>
struct Element<unsigned char> : Element<signed char> {
    static int at(unsigned int bits, unsigned i) { return (unsigned char)(bits >> 8 * i); }
};
template <>
struct Element<Nibble> : Element<signed char> {
    static constexpr unsigned kInRegister = 8;
    static int at(unsigned int bits, unsigned i) { return int(bits << (28 - 4 * i)) >> 28; }
};
template <>
struct Element<UnsignedNibble> : Element<signed char> {
    static constexpr unsigned kInRegister = 8;
    static int at(unsigned int bits, unsigned i) { return int(bits >> 4 * i & 15); }
};

/// How registers hold the sums of a lane, `Count` of them.
template <class T, unsigned Count>
struct Sums {
    using Type = Registers<T, Count>;
    static T get(const Type& from, unsigned i) { return from.lane[i]; }
    template <class Sum>
    static void set(Type& to, unsigned i, Sum sum, bool saturate) {
        if constexpr (std::is_integral_v<T>)
            to.lane[i] = saturate ? clamped(sum) : static_cast<int>(static_cast<unsigned int>(sum));
        else
            to.lane[i] = static_cast<T>(sum);
    }
};
template <unsigned Count>
struct Sums<Half, Count> {
    using Type = Registers<unsigned int, Count / 2>;
    static float get(const Type& from, unsigned i) { return Element<Half>::at(from.lane[i / 2], i % 2); }
    static void set(Type& to, unsigned i, double sum, bool) {
        const unsigned int bits = lanework::to_float16(static_cast<float>(sum)).bits;
        const unsigned shift = 16 * (i % 2);
        to.lane[i / 2] = (to.lane[i / 2] & ~(0xffffu << shift)) | bits << shift;
    }
};

/// Both factors, as the lanes put them together: a by rows, b by columns.
template <class Value, unsigned M, unsigned K>
struct Factors {
    Value a[M][K], b[8][K];
};

/// A lane's registers of a factor whose lines are of `K` elements: registers alternate between lines 8 apart.
template <class T, unsigned Lines, unsigned K, class Value, class Held>
LANEWORK_SIMT_UNSEEN void place(const Held& held, Value (&lines)[Lines][K], unsigned lane) {
    constexpr unsigned kWide = Element<T>::kInRegister, kHalves = Lines / 8;
    for (unsigned r = 0; r < Lines * K / kWarpLanes / kWide; ++r)
        for (unsigned i = 0; i < kWide; ++i)
            lines[lane / 4 + r % kHalves * 8][r / kHalves * 4 * kWide + lane % 4 * kWide + i] =
                Element<T>::at(held.lane[r], i);
}

template <class Sum, class OfC, class OfD, class Value, unsigned M, unsigned K>
LANEWORK_SIMT_UNSEEN void multiply(const Factors<Value, M, K>& factors, const typename OfC::Type& c,
                                   typename OfD::Type& d, bool saturate, unsigned lane) {
    for (unsigned i = 0; i < M / 4; ++i) {
        const Value* const a = factors.a[lane / 4 + i / 2 * 8];
        const Value* const b = factors.b[lane % 4 * 2 + i % 2];
        auto sum = static_cast<Sum>(OfC::get(c, i));
        for (unsigned k = 0; k < K; ++k) sum += static_cast<Sum>(a[k]) * static_cast<Sum>(b[k]);
        OfD::set(d, i, sum, saturate);
    }
}

/// Four matrices of 8 rows of 8 elements of 16 bits, as words.
struct Rows {
    unsigned int word[kWarpLanes][4];
};
using Row = Vector<unsigned int, 4>;

/// A row in the kernel's memory. Who watches the kernel sees one access of 16 bytes, whatever a compiler makes of a
/// structure's members: its address is a multiple of that.
LANEWORK_SIMT_BUILTIN Row read_row(const Row* row) {
#if defined(LANEWORK_SIMT_WATCHED)
    __tsan_read16(const_cast<Row*>(row));
#endif
    return quiet_copy(*row);
}
LANEWORK_SIMT_BUILTIN void write_row(Row* row, const Row& value) {
#if defined(LANEWORK_SIMT_WATCHED)
    __tsan_write16(row);
#endif
    struct Halves {
        unsigned long long half[2];
    };
    const auto halves = __builtin_bit_cast(Halves, value);
    for (unsigned i = 0; i < 2; ++i) quiet_store(reinterpret_cast<Halves*>(row)->half[i], halves.half[i]);
}

// Rows go in and out by their words.
LANEWORK_SIMT_UNSEEN inline void put_row(Rows& rows, unsigned row, unsigned int a, unsigned int b, unsigned int c,
                                         unsigned int d) {
    const unsigned int words[4] = {a, b, c, d};
    for (unsigned i = 0; i < 4; ++i) rows.word[row][i] = words[i];
}
LANEWORK_SIMT_UNSEEN inline unsigned int get_word(const Rows& rows, unsigned row, unsigned i) {
    return rows.word[row][i];
}
inline unsigned int half_at(const Rows& rows, unsigned row, unsigned column) {
    return rows.word[row][column / 2] >> 16 * (column % 2) & 0xffffu;
}
/// The lane's two elements of matrix `matrix`: neighbours in a row, or in a column where it is transposed.
template <bool Transposed>
LANEWORK_SIMT_UNSEEN unsigned int get_pair(const Rows& rows, unsigned matrix, unsigned lane) {
    const unsigned line = lane / 4, place = lane % 4 * 2;
    if constexpr (!Transposed) return rows.word[8 * matrix + line][lane % 4];
    return half_at(rows, 8 * matrix + place, line) | half_at(rows, 8 * matrix + place + 1, line) << 16;
}
template <bool Transposed>
LANEWORK_SIMT_UNSEEN void put_pair(Rows& rows, unsigned matrix, unsigned lane, unsigned int pair) {
    const unsigned line = lane / 4, place = lane % 4 * 2;
    if constexpr (!Transposed) {
        rows.word[8 * matrix + line][lane % 4] = pair;
    } else {
        for (unsigned i = 0; i < 2; ++i) {
            unsigned int& word = rows.word[8 * matrix + place + i][line / 2];
            const unsigned shift = 16 * (line % 2);
            word = (word & ~(0xffffu << shift)) | (pair >> 16 * i & 0xffffu) << shift;
        }
    }
}

/// What lane 0 has, for all lanes to exchange through.
template <class T>
LANEWORK_SIMT_BUILTIN T& of_warp(T& mine, Place place) {
    return *reinterpret_cast<T*>(
        __shfl_sync(kFullMask, reinterpret_cast<unsigned long long>(&mine), 0, warpSize, place));
}

}  // namespace matrices

/// d = a · b + c, a of M rows and K columns, b of K rows and 8 columns.
template <unsigned M, unsigned K, class A, class B, class D, class C, bool Saturate>
LANEWORK_SIMT_BUILTIN auto multiply(
    const Registers<typename matrices::Element<A>::Register, M * K / 32 / matrices::Element<A>::kInRegister>& a,
    const Registers<typename matrices::Element<B>::Register, 8 * K / 32 / matrices::Element<B>::kInRegister>& b,
    const typename matrices::Sums<C, M / 4>::Type& c, Place place = Place::here()) {
    using Value = typename matrices::Element<A>::Value;
    matrices::Factors<Value, M, K> mine;
    auto& factors = matrices::of_warp(mine, place);
    matrices::place<A>(a, factors.a, lane());
    matrices::place<B>(b, factors.b, lane());
    __syncwarp(kFullMask, place);
    using OfD = matrices::Sums<D, M / 4>;
    typename OfD::Type d{};
    matrices::multiply<typename matrices::Element<A>::Sum, matrices::Sums<C, M / 4>, OfD>(factors, c, d, Saturate,
                                                                                          lane());
    __syncwarp(kFullMask, place);
    return d;
}

/// ldmatrix: lane 8m + i has the address of row i of matrix m.
template <unsigned Count, bool Transposed>
LANEWORK_SIMT_BUILTIN Registers<unsigned int, Count> load_matrices(const matrices::Row* row,
                                                                   Place place = Place::here()) {
    matrices::Rows mine;
    matrices::Rows& rows = matrices::of_warp(mine, place);
    if (lane() < 8 * Count) {
        const matrices::Row read = matrices::read_row(row);
        matrices::put_row(rows, lane(), read.lane[0], read.lane[1], read.lane[2], read.lane[3]);
    }
    __syncwarp(kFullMask, place);
    Registers<unsigned int, Count> result;
    for (unsigned i = 0; i < Count; ++i) result.lane[i] = matrices::get_pair<Transposed>(rows, i, lane());
    __syncwarp(kFullMask, place);
    return result;
}

/// stmatrix: the other way around.
template <unsigned Count, bool Transposed>
LANEWORK_SIMT_BUILTIN void store_matrices(matrices::Row* row, const Registers<unsigned int, Count>& held,
                                          Place place = Place::here()) {
    matrices::Rows mine;
    matrices::Rows& rows = matrices::of_warp(mine, place);
    for (unsigned i = 0; i < Count; ++i) matrices::put_pair<Transposed>(rows, i, lane(), held.lane[i]);
    __syncwarp(kFullMask, place);
    if (lane() < 8 * Count)
        matrices::write_row(row,
                            matrices::Row{{matrices::get_word(rows, lane(), 0), matrices::get_word(rows, lane(), 1),
                                           matrices::get_word(rows, lane(), 2), matrices::get_word(rows, lane(), 3)}});
    __syncwarp(kFullMask, place);
}

/// movmatrix: a matrix of the lanes' registers, transposed.
LANEWORK_SIMT_BUILTIN unsigned int transposed_matrix(unsigned int held, Place place = Place::here()) {
    matrices::Rows mine;
    matrices::Rows& rows = matrices::of_warp(mine, place);
    matrices::put_pair<false>(rows, 0, lane(), held);
    __syncwarp(kFullMask, place);
    const unsigned int result = matrices::get_pair<true>(rows, 0, lane());
    __syncwarp(kFullMask, place);
    return result;
}

}  // namespace lanework_simt::ptx
