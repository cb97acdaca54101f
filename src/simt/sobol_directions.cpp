// Direction vectors of Sobol's sequences, from the polynomials and first numbers that S. Joe and F. Y. Kuo published
// (new-joe-kuo-6), as cuRAND's are. Boost has their table for 3667 dimensions, cuRAND for 20000.
#include <algorithm>
#include <array>
#include <bit>
#include <boost/random/detail/sobol_table.hpp>
#include <vector>

#include "src/simt/sobol_directions.hpp"

namespace lanework_simt {
namespace {

using Table = boost::random::detail::qrng_tables::sobol;

template <class Word, std::size_t Bits = sizeof(Word) * 8>
void fill(unsigned int dimension, Word (&vectors)[Bits]) {
    if (dimension == 0) {  // van der Corput's
        for (unsigned int bit = 0; bit < Bits; ++bit) vectors[bit] = Word{1} << (Bits - 1 - bit);
        return;
    }
    const unsigned int polynomial = Table::polynomial(dimension - 1);
    const auto degree = static_cast<unsigned int>(std::bit_width(polynomial)) - 1;
    for (unsigned int bit = 0; bit < degree; ++bit)
        vectors[bit] = static_cast<Word>(Table::minit(dimension - 1, bit)) << (Bits - 1 - bit);
    for (unsigned int bit = degree; bit < Bits; ++bit) {
        vectors[bit] = vectors[bit - degree] ^ vectors[bit - degree] >> degree;
        for (unsigned int term = 1; term < degree; ++term)
            if (polynomial >> (degree - term) & 1) vectors[bit] ^= vectors[bit - term];
    }
}

template <class Word>
auto all_vectors() {
    std::vector<std::array<Word, sizeof(Word) * 8>> all(kSobolDimensions);
    for (unsigned int dimension = 0; dimension < kSobolDimensions; ++dimension) {
        Word vectors[sizeof(Word) * 8];
        fill(dimension, vectors);
        std::copy(std::begin(vectors), std::end(vectors), all[dimension].begin());
    }
    return all;
}

}  // namespace

const unsigned int* sobol_directions(unsigned int dimension, unsigned int) {
    static const auto* const all = new auto(all_vectors<unsigned int>());
    return (*all)[dimension].data();
}
const unsigned long long* sobol_directions(unsigned int dimension, unsigned long long) {
    static const auto* const all = new auto(all_vectors<unsigned long long>());
    return (*all)[dimension].data();
}

static_assert(kSobolDimensions == Table::max_dimension);

}  // namespace lanework_simt
