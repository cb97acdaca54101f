// Comparisons of fractions of any width: their names, and what they come to.
#pragma once

#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {

// Which of less, equal, greater and unordered make it true.
inline constexpr std::uint32_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;
inline constexpr std::uint32_t kOr = 1 << 8, kXor = 1 << 9;

inline std::uint32_t taken_relation(Decoding& d) {
    struct Named {
        std::string_view name;
        std::uint32_t relation;
    };
    constexpr Named kNamed[] = {{"F", 0},
                                {"LT", kLess},
                                {"EQ", kEqual},
                                {"LE", kLess | kEqual},
                                {"GT", kGreater},
                                {"NE", kLess | kGreater},
                                {"GE", kGreater | kEqual},
                                {"NUM", kLess | kEqual | kGreater},
                                {"NAN", kUnordered},
                                {"LTU", kLess | kUnordered},
                                {"EQU", kEqual | kUnordered},
                                {"LEU", kLess | kEqual | kUnordered},
                                {"GTU", kGreater | kUnordered},
                                {"NEU", kLess | kGreater | kUnordered},
                                {"GEU", kGreater | kEqual | kUnordered},
                                {"T", kLess | kEqual | kGreater | kUnordered}};
    for (const Named& named : kNamed)
        if (d.take(named.name)) return named.relation;
    d.refuse("its comparison");
}
inline std::uint32_t taken_combination(Decoding& d) {
    d.take("AND");
    return d.take("OR") ? kOr : d.take("XOR") ? kXor : 0;
}

template <class T>
std::uint32_t relation(T a, T b) {
    return a < b ? kLess : a == b ? kEqual : a > b ? kGreater : kUnordered;
}
/// What was compared, with the predicate that the instruction combines it with; both by lane.
inline std::uint32_t combined(const Warp& warp, const Step& step, std::uint32_t result) {
    const std::uint32_t with = warp.test(step.test[0]);
    return step.variant & kOr ? result | with : step.variant & kXor ? result ^ with : result & with;
}

}  // namespace lanework::machine
