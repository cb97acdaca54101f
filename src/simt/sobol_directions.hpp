// The direction vectors of Sobol's sequences.
#pragma once

namespace lanework_simt {

inline constexpr unsigned int kSobolDimensions = 3667;

/// The vectors of a dimension, counted from 0, one for each bit of a word; those of the next dimension stand behind
/// them. The second argument says of which word.
const unsigned int* sobol_directions(unsigned int dimension, unsigned int word);
const unsigned long long* sobol_directions(unsigned int dimension, unsigned long long word);

}  // namespace lanework_simt
