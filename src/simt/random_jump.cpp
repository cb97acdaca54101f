// Moving random generators on by many numbers at once: a step is a linear map, and many steps are its power, put
// together from the map's repeated squares, which are made when they are first needed.
#include <array>
#include <cstdint>
#include <lanework_simt/random_generators.hpp>
#include <mutex>
#include <vector>

namespace lanework_simt::random_generators {
namespace {

// -- XORWOW: bits, added without carry --------------------------------------------------------------------------------

using Bits = std::array<unsigned int, 5>;
/// The images of the 160 unit vectors.
using BitMap = std::array<Bits, 160>;

Bits image(const BitMap& map, const Bits& bits) {
    Bits result{};
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (!(bits[i / 32] >> (i % 32) & 1)) continue;
        for (std::size_t k = 0; k < result.size(); ++k) result[k] ^= map[i][k];
    }
    return result;
}

BitMap one_step() {
    BitMap map{};
    for (std::size_t i = 0; i < map.size(); ++i) {
        curandStateXORWOW state{};
        state.v[i / 32] = 1u << (i % 32);
        curand(&state);
        for (std::size_t k = 0; k < 5; ++k) map[i][k] = state.v[k];
    }
    return map;
}

BitMap squared(const BitMap& map) {
    BitMap result;
    for (std::size_t i = 0; i < map.size(); ++i) result[i] = image(map, map[i]);
    return result;
}

// -- MRG32k3a: two recurrences over residues --------------------------------------------------------------------------

using Residues = std::array<unsigned int, 3>;
using Matrix = std::array<Residues, 3>;

Residues image(const Matrix& map, const Residues& vector, unsigned int modulus) {
    Residues result{};
    for (std::size_t row = 0; row < 3; ++row) {
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += product(map[row][k], vector[k], modulus);
        result[row] = static_cast<unsigned int>(sum % modulus);
    }
    return result;
}

Matrix squared(const Matrix& map, unsigned int modulus) {
    Matrix result{};
    for (std::size_t column = 0; column < 3; ++column) {
        const Residues moved = image(map, {map[0][column], map[1][column], map[2][column]}, modulus);
        for (std::size_t row = 0; row < 3; ++row) result[row][column] = moved[row];
    }
    return result;
}

struct Matrices {
    Matrix first{{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728u, 1403580u, 0}}};
    Matrix second{{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589u, 0, 527612u}}};
};
Matrices squared(const Matrices& both) {
    Matrices result;
    result.first = squared(both.first, kModulus1);
    result.second = squared(both.second, kModulus2);
    return result;
}

/// The 2^k-th powers of a map, for every k that a jump of 64 bits can ask for.
template <class Map>
class Powers {
public:
    explicit Powers(const Map& one) : powers_{one} { powers_.reserve(kMost); }
    const Map& at(std::size_t k) {
        const std::lock_guard lock(mutex_);
        while (powers_.size() <= k) powers_.push_back(squared(powers_.back()));
        return powers_[k];  // nothing moves: there is room for all
    }

private:
    static constexpr std::size_t kMost = 192;
    std::mutex mutex_;
    std::vector<Map> powers_;
};

}  // namespace

void advance(unsigned int (&xorwow)[5], unsigned long long count, int log2_step) {
    static Powers<BitMap> powers(one_step());
    Bits bits{};
    for (std::size_t k = 0; k < bits.size(); ++k) bits[k] = xorwow[k];
    for (auto k = static_cast<std::size_t>(log2_step); count != 0; count >>= 1, ++k)
        if (count & 1) bits = image(powers.at(k), bits);
    for (std::size_t k = 0; k < bits.size(); ++k) xorwow[k] = bits[k];
}

void advance(unsigned int (&s1)[3], unsigned int (&s2)[3], unsigned long long count, int log2_step) {
    static Powers<Matrices> powers(Matrices{});
    Residues first{s1[0], s1[1], s1[2]}, second{s2[0], s2[1], s2[2]};
    for (auto k = static_cast<std::size_t>(log2_step); count != 0; count >>= 1, ++k) {
        if (!(count & 1)) continue;
        const Matrices& both = powers.at(k);
        first = image(both.first, first, kModulus1);
        second = image(both.second, second, kModulus2);
    }
    for (std::size_t k = 0; k < 3; ++k) s1[k] = first[k], s2[k] = second[k];
}

}  // namespace lanework_simt::random_generators
