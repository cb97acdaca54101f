// Integer arithmetic, shifts, comparisons and logic, of lanes and of the uniform datapath.
#include <algorithm>
#include <bit>
#include <iterator>

#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

enum Flag : std::uint32_t {
    kUnsigned = 1,
    kCarryIn = 2,
    kHigh = 4,
    kSignExtend = 8,
    kAnd = 16,
    kLong = 32,
    kRight = 64,
    kWrap = 128,
    kPairs = 256,
    kSignedA = 512,
    kSignedB = 1024,
    kShift = 2048,
    kAtLeastZero = 4096,
};

std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }

/// What a word adds to a sum: -x is ~x + 1, whose carry counts, also where x is 0.
struct Term {
    const Words& words;
    bool negative;
    std::uint64_t operator[](unsigned lane) const {
        return negative ? std::uint64_t{~words[lane]} + 1 : std::uint64_t{words[lane]};
    }
};
Term term(const Warp& warp, Source source, Words& spare) {
    const bool negative = source.negative;
    source.negative = false;
    return {integers(warp, source, spare), negative};
}

// -- sums -----------------------------------------------------------------------------------------------------------

void add(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Term a = term(warp, step.source[0], spare[0]), b = term(warp, step.source[1], spare[1]),
               c = term(warp, step.source[2], spare[2]);
    const bool carries_in = step.flags & kCarryIn;
    const std::uint32_t first = carries_in ? warp.test(step.test[0]) : 0,
                        second = carries_in ? warp.test(step.test[1]) : 0;
    Words sum;
    std::uint32_t one = 0, two = 0;
    for (unsigned i = 0; i < kWarp; ++i) {
        const std::uint64_t whole = a[i] + b[i] + c[i] + (first >> i & 1) + (second >> i & 1);
        sum[i] = static_cast<std::uint32_t>(whole);
        one |= std::uint32_t{whole >> 32 >= 1} << i;
        two |= std::uint32_t{whole >> 32 >= 2} << i;
    }
    put(warp, step, sum, lanes);
    warp.set(step.set[0], one, lanes);
    warp.set(step.set[1], two, lanes);
}
void decode_add(Decoding& d, Step& step) {
    step.action = add;
    d.target(step);
    d.set(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i] = d.source();
    step.test[0] = step.test[1] = {kTruePredicate, false, true};
    if (d.take("X")) {
        step.flags = kCarryIn;
        for (unsigned i = 0; i < 2 && d.more(); ++i) step.test[i] = d.test();
    }
}
void decode_add_two(Decoding& d, Step& step) {
    step.action = add;
    d.target(step);
    for (unsigned i = 0; i < 2; ++i) step.source[i] = d.source();
}

template <bool Signed>
std::uint64_t product(std::uint32_t a, std::uint32_t b) {
    if constexpr (Signed) return static_cast<std::uint64_t>(std::int64_t{as_signed(a)} * as_signed(b));
    return std::uint64_t{a} * b;
}

void multiply_add(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]),
                &c = integers(warp, step.source[2], spare[2]);
    const std::uint32_t carry = step.flags & kCarryIn ? warp.test(step.test[0]) : 0;
    Words sum;
    for (unsigned i = 0; i < kWarp; ++i) sum[i] = a[i] * b[i] + c[i] + (carry >> i & 1);
    put(warp, step, sum, lanes);
}

// Products of 64 bits and a sum of 64 bits; `kHigh` keeps the upper word alone.
void multiply_add_wide(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 2> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]);
    Longs c;
    longs(warp, step.source[2], c);
    const std::uint32_t carry_in = step.flags & kCarryIn ? warp.test(step.test[0]) : 0;
    std::uint32_t carry = 0;
    for (unsigned i = 0; i < kWarp; ++i) {
        const std::uint64_t p = step.flags & kUnsigned ? product<false>(a[i], b[i]) : product<true>(a[i], b[i]);
        const std::uint64_t partial = p + c[i], whole = partial + (carry_in >> i & 1);
        carry |= std::uint32_t{partial < p || whole < partial} << i;
        c[i] = whole;
    }
    if (step.flags & kHigh) {
        Words high;
        for (unsigned i = 0; i < kWarp; ++i) high[i] = static_cast<std::uint32_t>(c[i] >> 32);
        put(warp, step, high, lanes);
    } else {
        put_longs(warp, step, c, lanes);
    }
    warp.set(step.set[0], carry, lanes);
}

void decode_multiply_add(Decoding& d, Step& step) {
    const bool wide = d.take("WIDE"), high = d.take("HI");
    step.action = wide || high ? multiply_add_wide : multiply_add;
    if (d.take("U32")) step.flags |= kUnsigned;
    if (high) step.flags |= kHigh;
    d.ignore({"MOV", "IADD", "SHL", "S32"});
    d.target(step);
    if (wide || high) d.set(step, 1);
    step.source[0] = d.source();
    step.source[1] = d.source();
    step.source[2] = d.source(wide || high ? Decoding::Type::long_integer : Decoding::Type::integer);
    if (d.take("X")) {
        step.flags |= kCarryIn;
        step.test[0] = d.test();
    }
}

// a << shift, or the upper word of it, and b.
void scaled_add(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    Source scaled = step.source[0];
    scaled.negative = false;
    const Words &a = integers(warp, scaled, spare[0]), &c = integers(warp, step.source[2], spare[2]);
    const Term b = term(warp, step.source[1], spare[1]);
    const std::uint32_t carry_in = step.flags & kCarryIn ? warp.test(step.test[0]) : 0;
    Words sum;
    std::uint32_t carry = 0;
    for (unsigned i = 0; i < kWarp; ++i) {
        const std::uint64_t upper = step.flags & kSignExtend ? static_cast<std::uint64_t>(as_signed(a[i]) >> 31) : c[i];
        const std::uint64_t both = a[i] | upper << 32;
        const auto part = static_cast<std::uint32_t>(both << step.variant >> (step.flags & kHigh ? 32 : 0));
        const std::uint64_t first = step.source[0].negative ? std::uint64_t{~part} + 1 : std::uint64_t{part};
        const std::uint64_t whole = first + b[i] + (carry_in >> i & 1);
        sum[i] = static_cast<std::uint32_t>(whole);
        carry |= std::uint32_t{whole >> 32 != 0} << i;
    }
    put(warp, step, sum, lanes);
    warp.set(step.set[0], carry, lanes);
}
void decode_scaled_add(Decoding& d, Step& step) {
    step.action = scaled_add;
    d.target(step);
    d.set(step, 1);
    step.source[0] = d.source();
    step.source[1] = d.source();
    if (d.take("HI")) step.flags |= kHigh;
    if (d.take("SX32"))
        step.flags |= kSignExtend;
    else if (step.flags & kHigh)
        step.source[2] = d.source();
    step.variant = static_cast<std::uint32_t>(d.literal());
    if (step.variant > 31) d.refuse("its shift");
    if (d.take("X")) {
        step.flags |= kCarryIn;
        step.test[0] = d.test();
    }
    // Of two words the upper one is subtracted otherwise.
    if (step.source[0].negative && step.flags != 0) d.refuse();
}

void absolute(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    Words result = integers(warp, step.source[0], spare);
    for (std::uint32_t& each : result) each = as_signed(each) < 0 ? 0 - each : each;
    put(warp, step, result, lanes);
}

// Products of bytes, or of halves with bytes, added up.
void dot_product(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]),
                &c = integers(warp, step.source[2], spare[2]);
    const auto part = [](std::uint32_t word, unsigned at, unsigned bits, bool is_signed) {
        const std::uint32_t value = word >> at * bits & ((1u << bits) - 1);
        const std::uint32_t sign = 1u << (bits - 1);
        return is_signed ? (value ^ sign) - sign : value;
    };
    Words sum = c;
    const unsigned bits = step.flags & kPairs ? 16 : 8, parts = 32 / bits, first = step.flags & kHigh ? 2 : 0;
    for (unsigned i = 0; i < kWarp; ++i)
        for (unsigned k = 0; k < parts; ++k)
            sum[i] += part(a[i], k, bits, step.flags & kSignedA) * part(b[i], first + k, 8, step.flags & kSignedB);
    put(warp, step, sum, lanes);
}
void decode_dot_product(Decoding& d, Step& step) {
    step.action = dot_product;
    const std::string& name = d.instruction.name;
    const bool pairs = d.take("2A");
    if (!pairs && !d.take("4A")) d.refuse();
    if (pairs) step.flags |= kPairs;
    if (d.take("HI")) step.flags |= kHigh;
    d.take("LO");
    // The types of a and of b, in that order.
    const std::string_view types = std::string_view(name).substr(name.find_first_of("US", 4));
    if (types.front() == 'S') step.flags |= kSignedA;
    if (types.substr(types.find('.') + 1).front() == 'S') step.flags |= kSignedB;
    d.ignore({"U8", "S8", "U16", "S16"});
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i] = d.source();
}

// -- shifts and bits ------------------------------------------------------------------------------------------------

void shift(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words &low = integers(warp, step.source[0], spare[0]), &by = integers(warp, step.source[1], spare[1]),
                &high = integers(warp, step.source[2], spare[2]);
    const unsigned most = step.flags & kLong ? 63 : 32;
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) {
        const std::uint64_t both = low[i] | std::uint64_t{high[i]} << 32;
        const unsigned count = step.flags & kWrap ? by[i] & (step.flags & kLong ? 63 : 31) : std::min(by[i], most);
        const bool all_out = (step.flags & kLong) && !(step.flags & kWrap) && by[i] > most;
        std::uint64_t moved = 0;
        if (!(step.flags & kRight))
            moved = all_out ? 0 : both << count;
        else if (step.flags & kUnsigned)
            moved = all_out ? 0 : both >> count;
        else
            moved = static_cast<std::uint64_t>(static_cast<std::int64_t>(both) >> count);
        result[i] = static_cast<std::uint32_t>(moved >> (step.flags & kHigh ? 32 : 0));
    }
    put(warp, step, result, lanes);
}
void decode_shift(Decoding& d, Step& step) {
    step.action = shift;
    if (d.take("R"))
        step.flags |= kRight;
    else if (!d.take("L"))
        d.refuse();
    if (d.take("HI")) step.flags |= kHigh;
    if (d.take("W")) step.flags |= kWrap;
    if (d.take("U32")) step.flags |= kUnsigned;
    if (d.take("U64")) step.flags |= kUnsigned | kLong;
    if (d.take("S64")) step.flags |= kLong;
    d.take("S32");
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i] = d.source();
}

/// Bit by bit by a table: entry 4a + 2b + c.
std::uint32_t looked_up(std::uint32_t table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t result = 0;
    for (unsigned entry = 0; entry < 8; ++entry)
        if (table >> entry & 1) result |= (entry & 4 ? a : ~a) & (entry & 2 ? b : ~b) & (entry & 1 ? c : ~c);
    return result;
}

void logic(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]),
                &c = integers(warp, step.source[2], spare[2]);
    constexpr std::uint32_t kBoth = 0xc0, kEither = 0xfc, kOne = 0x3c;
    Words result;
    switch (step.variant) {
        case kBoth:
            for (unsigned i = 0; i < kWarp; ++i) result[i] = a[i] & b[i];
            break;
        case kEither:
            for (unsigned i = 0; i < kWarp; ++i) result[i] = a[i] | b[i];
            break;
        case kOne:
            for (unsigned i = 0; i < kWarp; ++i) result[i] = a[i] ^ b[i];
            break;
        default:
            for (unsigned i = 0; i < kWarp; ++i) result[i] = looked_up(step.variant, a[i], b[i], c[i]);
    }
    put(warp, step, result, lanes);
    if (step.set[0].index == kTruePredicate) return;
    const std::uint32_t some = mask_of([&](unsigned i) { return result[i] != 0; }), test = warp.test(step.test[0]);
    warp.set(step.set[0], step.flags & kAnd ? some & test : some | test, lanes);
}
void decode_logic(Decoding& d, Step& step) {
    step.action = logic;
    d.ignore({"LUT"});
    if (d.take("PAND")) step.flags |= kAnd;
    d.set(step, 1);
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i] = d.source();
    step.variant = static_cast<std::uint32_t>(d.literal());
    step.test[0] = {kTruePredicate, false, !(step.flags & kAnd)};
    if (d.more()) step.test[0] = d.test();
}

void predicate_logic(Warp& warp, const Step& step, std::uint32_t lanes) {
    const std::uint32_t a = warp.test(step.test[0]), b = warp.test(step.test[1]), c = warp.test(step.test[2]);
    const std::uint32_t first = looked_up(step.variant, a, b, c), second = looked_up(step.flags, a, b, c);
    warp.set(step.set[0], first, lanes);
    warp.set(step.set[1], second, lanes);
}
void decode_predicate_logic(Decoding& d, Step& step) {
    step.action = predicate_logic;
    d.ignore({"LUT"});
    d.set(step);
    for (unsigned i = 0; i < 3; ++i) step.test[i] = d.test();
    step.variant = static_cast<std::uint32_t>(d.literal());
    step.flags = static_cast<std::uint32_t>(d.literal());
}

void permute(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &by = integers(warp, step.source[1], spare[1]),
                &c = integers(warp, step.source[2], spare[2]);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) {
        const std::uint64_t both = a[i] | std::uint64_t{c[i]} << 32;
        result[i] = 0;
        for (unsigned byte = 0; byte < 4; ++byte) {
            const std::uint32_t pick = by[i] >> 4 * byte & 0xf;
            auto value = static_cast<std::uint32_t>(both >> 8 * (pick & 7) & 0xff);
            if (pick & 8) value = value & 0x80 ? 0xff : 0;
            result[i] |= value << 8 * byte;
        }
    }
    put(warp, step, result, lanes);
}
void decode_permute(Decoding& d, Step& step) {
    step.action = permute;
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i] = d.source();
}

template <class Function>
void map_one(Warp& warp, const Step& step, std::uint32_t lanes, Function function) {
    Words spare, result;
    const Words& a = integers(warp, step.source[0], spare);
    for (unsigned i = 0; i < kWarp; ++i) result[i] = function(a[i]);
    put(warp, step, result, lanes);
}
template <Action Of>
void decode_one(Decoding& d, Step& step) {
    step.action = Of;
    d.target(step);
    step.source[0] = d.source();
}

void population(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_one(warp, step, lanes, [](std::uint32_t x) { return static_cast<std::uint32_t>(std::popcount(x)); });
}
void reverse_bits(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_one(warp, step, lanes, [](std::uint32_t x) {
        std::uint32_t result = 0;
        for (unsigned bit = 0; bit < 32; ++bit) result |= (x >> bit & 1) << (31 - bit);
        return result;
    });
}
// The number of the leading one, of a negative signed number the leading zero; with SH how far it is from the top.
void leading_bit(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_one(warp, step, lanes, [&](std::uint32_t x) {
        if (!(step.flags & kUnsigned) && as_signed(x) < 0) x = ~x;
        if (x == 0) return kAll;
        const auto zeros = static_cast<std::uint32_t>(std::countl_zero(x));
        return step.flags & kShift ? zeros : 31 - zeros;
    });
}
void decode_leading_bit(Decoding& d, Step& step) {
    decode_one<leading_bit>(d, step);
    if (d.take("U32")) step.flags |= kUnsigned;
    if (d.take("SH")) step.flags |= kShift;
}

// -- comparisons ----------------------------------------------------------------------------------------------------
// The names of comparisons in this order: their bits say which of less, equal and greater make them true.
constexpr std::uint32_t kLess = 1, kEqual = 2, kGreater = 4;

std::uint32_t taken_compare(Decoding& d) {
    constexpr std::string_view kNames[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
    for (std::uint32_t i = 0; i < std::size(kNames); ++i)
        if (d.take(kNames[i])) return i;
    d.refuse("its comparison");
}

constexpr std::uint32_t kCombineAnd = 0, kCombineOr = 1 << 8, kCombineXor = 2 << 8, kExtended = 1 << 10;

void compare(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 2> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]);
    const std::uint32_t which = step.variant & 7;
    std::uint32_t less = 0, equal = 0;
    if (step.flags & kUnsigned) {
        for (unsigned i = 0; i < kWarp; ++i) {
            less |= std::uint32_t{a[i] < b[i]} << i;
            equal |= std::uint32_t{a[i] == b[i]} << i;
        }
    } else {
        for (unsigned i = 0; i < kWarp; ++i) {
            less |= std::uint32_t{as_signed(a[i]) < as_signed(b[i])} << i;
            equal |= std::uint32_t{a[i] == b[i]} << i;
        }
    }
    std::uint32_t result = (which & kLess ? less : 0) | (which & kGreater ? ~(less | equal) : 0);
    // Of the upper words of two longs: where they are equal, the lower words decide.
    if (step.variant & kExtended)
        result |= equal & warp.test(step.test[1]);
    else if (which & kEqual)
        result |= equal;
    const std::uint32_t with = warp.test(step.test[0]);
    const auto combined = [&](std::uint32_t value) {
        return step.variant & kCombineOr ? value | with : step.variant & kCombineXor ? value ^ with : value & with;
    };
    warp.set(step.set[0], combined(result), lanes);
    warp.set(step.set[1], combined(~result), lanes);
}
void decode_compare(Decoding& d, Step& step) {
    step.action = compare;
    if (d.take("U32")) step.flags |= kUnsigned;
    step.variant = d.take("AND") ? kCombineAnd : d.take("OR") ? kCombineOr : d.take("XOR") ? kCombineXor : kCombineAnd;
    if (d.take("EX")) step.variant |= kExtended;
    step.variant |= taken_compare(d);
    d.set(step);
    step.source[0] = d.source();
    step.source[1] = d.source();
    step.test[0] = d.test();
    if (step.variant & kExtended) step.test[1] = d.test();
}

void select(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 2> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]);
    const std::uint32_t first = warp.test(step.test[0]);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) result[i] = first >> i & 1 ? a[i] : b[i];
    put(warp, step, result, lanes);
}
void decode_select(Decoding& d, Step& step) {
    step.action = select;
    d.target(step);
    step.source[0] = d.source();
    step.source[1] = d.source();
    step.test[0] = d.test();
}

std::uint32_t lesser(std::uint32_t a, std::uint32_t b, std::uint32_t flags, bool least) {
    if (flags & kPairs) {
        std::uint32_t result = 0;
        for (unsigned at = 0; at < 32; at += 16) {
            const std::uint32_t x = a >> at & 0xffff, y = b >> at & 0xffff;
            const bool first = flags & kUnsigned ? x < y : static_cast<std::int16_t>(x) < static_cast<std::int16_t>(y);
            result |= (first == least ? x : y) << at;
        }
        return result;
    }
    const bool first = flags & kUnsigned ? a < b : as_signed(a) < as_signed(b);
    return first == least ? a : b;
}
// The least where the predicate is true, else the greatest, of two or three; `kCarryIn`: of a sum of two and the third.
void extreme(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &b = integers(warp, step.source[1], spare[1]),
                &c = integers(warp, step.source[2], spare[2]);
    const std::uint32_t least = warp.test(step.test[0]);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) {
        const bool wanted = least >> i & 1;
        result[i] = step.variant == 2       ? lesser(a[i], b[i], step.flags, wanted)
                    : step.flags & kCarryIn ? lesser(a[i] + b[i], c[i], step.flags, wanted)
                                            : lesser(lesser(a[i], b[i], step.flags, wanted), c[i], step.flags, wanted);
        if (step.flags & kAtLeastZero) result[i] = lesser(result[i], 0, step.flags, false);
    }
    put(warp, step, result, lanes);
}
void decode_extreme(Decoding& d, Step& step) {
    step.action = extreme;
    if (d.take("RELU")) step.flags |= kAtLeastZero;
    if (d.take("U32")) step.flags |= kUnsigned;
    d.take("S32");
    if (d.take("U16x2")) step.flags |= kUnsigned | kPairs;
    if (d.take("S16x2")) step.flags |= kPairs;
    if (d.name() == "VIADDMNMX") step.flags |= kCarryIn;
    step.variant = d.name() == "VIMNMX" || d.name() == "IMNMX" ? 2 : 3;
    d.target(step);
    for (unsigned i = 0; i < step.variant; ++i) step.source[i] = d.source();
    step.test[0] = d.test();
}

// A field of so many bits: of ones from a place on, or the low bits of a number.
void bit_mask(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 2> spare;
    const Words &from = integers(warp, step.source[0], spare[0]), &count = integers(warp, step.source[1], spare[1]);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) {
        const std::uint32_t ones = count[i] >= 32 ? kAll : (1u << count[i]) - 1;
        result[i] = from[i] >= 32 ? 0 : ones << from[i];
    }
    put(warp, step, result, lanes);
}
void decode_bit_mask(Decoding& d, Step& step) {
    step.action = bit_mask;
    d.take("C");
    d.target(step);
    step.source[0] = d.source();
    step.source[1] = d.source();
}
void extend(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 2> spare;
    const Words &a = integers(warp, step.source[0], spare[0]), &bits = integers(warp, step.source[1], spare[1]);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) {
        const unsigned unused = bits[i] >= 32 ? 0 : 32 - bits[i];
        result[i] = unused == 32             ? 0
                    : step.flags & kUnsigned ? a[i] << unused >> unused
                                             : static_cast<std::uint32_t>(as_signed(a[i] << unused) >> unused);
    }
    put(warp, step, result, lanes);
}
void decode_extend(Decoding& d, Step& step) {
    step.action = extend;
    if (d.take("U32")) step.flags |= kUnsigned;
    d.target(step);
    step.source[0] = d.source();
    step.source[1] = d.source();
}

}  // namespace

Decoder integer_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"IADD3", decode_add},
        {"UIADD3", decode_add},
        {"VIADD", decode_add_two},
        {"IMAD", decode_multiply_add},
        {"UIMAD", decode_multiply_add},
        {"LEA", decode_scaled_add},
        {"ULEA", decode_scaled_add},
        {"IABS", decode_one<absolute>},
        {"IDP", decode_dot_product},
        {"SHF", decode_shift},
        {"USHF", decode_shift},
        {"LOP3", decode_logic},
        {"ULOP3", decode_logic},
        {"PLOP3", decode_predicate_logic},
        {"UPLOP3", decode_predicate_logic},
        {"PRMT", decode_permute},
        {"UPRMT", decode_permute},
        {"POPC", decode_one<population>},
        {"UPOPC", decode_one<population>},
        {"BREV", decode_one<reverse_bits>},
        {"UBREV", decode_one<reverse_bits>},
        {"FLO", decode_leading_bit},
        {"UFLO", decode_leading_bit},
        {"ISETP", decode_compare},
        {"UISETP", decode_compare},
        {"SEL", decode_select},
        {"USEL", decode_select},
        {"VIMNMX", decode_extreme},
        {"IMNMX", decode_extreme},
        {"VIMNMX3", decode_extreme},
        {"VIADDMNMX", decode_extreme},
        {"BMSK", decode_bit_mask},
        {"UBMSK", decode_bit_mask},
        {"SGXT", decode_extend},
        {"USGXT", decode_extend},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine
