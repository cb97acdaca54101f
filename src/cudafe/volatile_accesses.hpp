// Accesses to volatile memory, before which the lanes of a warp wait for each other: programs written before Volta rely
// on it (`volatile float* s; s[t] += s[t + 16]; s[t] += s[t + 8];`), and GPUs still mostly do it.
#pragma once

#include "src/cudafe/volatile_names.hpp"

namespace lanework::cudafe {

/// How a warp's lanes keep step in volatile memory.
enum class Lockstep {
    none,
    /// They come together behind branches and loops; the hooks of instrumented code see the accesses.
    hooked,
    /// The accesses are calls, too.
    called
};

/// Puts the accesses of device code and of macros into calls, each with its column:
///   s[t] += s[t + 16];   ::lanework_simt::lockstep(s[t], 1) += ::lanework_simt::lockstep(s[t + 16], 9);
/// and likewise *s, *(s + t), ((volatile int*)p)[t], *(volatile int*)p, and a variable that is volatile itself.
void rewrite_volatile_accesses(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                               const DeviceCode& device, Edits& edits);

/// Lets lanes wait for each other behind each branch and loop with such accesses, and where `continue` leads to:
///   if (t < 16) s[t] += s[t + 16];    if (t < 16) s[t] += s[t + 16]; ::lanework_simt::rejoin(31);
void rewrite_rejoins(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                     const DeviceCode& device, Edits& edits);

}  // namespace lanework::cudafe
