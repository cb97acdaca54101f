// Products of small matrices by a whole warp, and the loads and moves that bring matrices into registers.
//
// Which lane holds what is as the PTX ISA says of mma, ldmatrix and movmatrix: lane 4g + t has the row or the column g,
// and there the numbers from 2t on (of bytes 4t, of words t). Sums are made in double precision and rounded once, which
// a GPU does not: in their last places they differ.
#include <cmath>

#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

constexpr unsigned kGroups = 8, kInGroup = 4, kWord = 4;

unsigned group_of(unsigned lane) { return lane / kInGroup; }
unsigned place_in_group(unsigned lane) { return lane % kInGroup; }

std::uint32_t word(const Warp& warp, unsigned reg, unsigned lane) {
    return reg == kZeroRegister ? 0 : warp.reg[reg][lane];
}

// -- the numbers of a register ----------------------------------------------------------------------------------------

enum class Number : std::uint8_t { half, bfloat, tfloat, signed_byte, unsigned_byte };

unsigned bytes_of(Number number) {
    return number == Number::tfloat ? 4 : number == Number::half || number == Number::bfloat ? 2 : 1;
}

double number_in(std::uint32_t word, unsigned which, Number number) {
    const auto part = [&](unsigned bits) { return word >> bits * which; };
    switch (number) {
        case Number::half: return static_cast<double>(half_value(static_cast<std::uint16_t>(part(16))));
        case Number::bfloat: return static_cast<double>(bfloat_value(static_cast<std::uint16_t>(part(16))));
        case Number::tfloat: return static_cast<double>(bits_as<float>(word & ~std::uint32_t{0x1fff}));
        case Number::unsigned_byte: return static_cast<std::uint8_t>(part(8));
        default: return static_cast<std::int8_t>(part(8));
    }
}

// -- products ---------------------------------------------------------------------------------------------------------

/// 16 rows by k by 8 columns; what the sum and the result are made of.
struct Product {
    unsigned k;
    Number left, right;
    enum class Sum : std::uint8_t { single, half, integer } sum;
};
constexpr std::uint32_t kKShift = 8, kSumShift = 16, kRightShift = 24;

Product product_of(const Step& step) {
    return {step.variant >> kKShift & 0xff, static_cast<Number>(step.variant & 0xff),
            static_cast<Number>(step.variant >> kRightShift),
            static_cast<Product::Sum>(step.variant >> kSumShift & 0xff)};
}

/// Where number `k` of a row of A, or of a column of B, is: the lane within the group, the register, and its part.
struct Where {
    unsigned lane, reg, part;
};
Where where(unsigned k, Number number) {
    const unsigned in_word = kWord / bytes_of(number), in_group = in_word * kInGroup;
    return {k % in_group / in_word, k / in_group, k % in_word};
}

/// Element (row, column) of the sums: its lane, and which of the lane's four it is.
unsigned lane_of_sum(unsigned row, unsigned column) { return row % kGroups * kInGroup + column / 2; }
unsigned part_of_sum(unsigned row, unsigned column) { return row / kGroups * 2 + column % 2; }

double sum_at(const Warp& warp, unsigned reg, unsigned lane, unsigned part, Product::Sum kind) {
    if (reg == kZeroRegister) return 0;
    if (kind == Product::Sum::half) return number_in(word(warp, reg + part / 2, lane), part % 2, Number::half);
    const std::uint32_t bits = word(warp, reg + part, lane);
    return kind == Product::Sum::integer ? static_cast<double>(static_cast<std::int32_t>(bits))
                                         : static_cast<double>(bits_as<float>(bits));
}

void multiply(Warp& warp, const Step& step, std::uint32_t) {
    const Product product = product_of(step);
    const unsigned a = step.source[0].index, b = step.source[1].index, c = step.source[2].index;
    constexpr unsigned kRows = 16, kColumns = 8;
    std::array<std::array<std::uint32_t, kWarp>, 4> result{};
    for (unsigned row = 0; row < kRows; ++row)
        for (unsigned column = 0; column < kColumns; ++column) {
            const unsigned lane = lane_of_sum(row, column), part = part_of_sum(row, column);
            double sum = sum_at(warp, c, lane, part, product.sum);
            for (unsigned k = 0; k < product.k; ++k) {
                const Where at = where(k, product.left);
                // Registers of A: the upper rows, the lower rows, and so on for the next numbers.
                const unsigned left = a + 2 * at.reg + row / kGroups;
                sum += number_in(word(warp, left, row % kGroups * kInGroup + at.lane), at.part, product.left) *
                       number_in(word(warp, b + at.reg, column * kInGroup + at.lane), at.part, product.right);
            }
            if (product.sum == Product::Sum::half)
                result[part / 2][lane] |= std::uint32_t{half_bits(sum)} << 16 * (part % 2);
            else if (product.sum == Product::Sum::integer)
                result[part][lane] = static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
            else
                result[part][lane] = bits_as<std::uint32_t>(static_cast<float>(sum));
        }
    const unsigned words = product.sum == Product::Sum::half ? 2 : 4;
    for (unsigned i = 0; i < words; ++i) put(warp, step, result[i], kAll, i);
}

std::uint8_t taken_register(Decoding& d) {
    const MachineOperand operand = d.next();
    if (!operand.is(MachineOperand::Kind::reg) || operand.negative) d.refuse("an operand that is no matrix");
    return static_cast<std::uint8_t>(operand.index);
}
void take_matrices(Decoding& d, Step& step, unsigned k, Number left, Number right, Product::Sum sum) {
    step.action = multiply;
    step.variant = static_cast<std::uint32_t>(left) | k << kKShift | static_cast<std::uint32_t>(sum) << kSumShift |
                   static_cast<std::uint32_t>(right) << kRightShift;
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i].index = taken_register(d);
}
void decode_half_product(Decoding& d, Step& step) {
    const unsigned k = d.take("16816") ? 16 : d.take("1688") ? 8 : d.take("1684") ? 4 : 0;
    if (k == 0) d.refuse("its sizes");
    const auto sum = d.take("F32") ? Product::Sum::single : d.take("F16") ? Product::Sum::half : Product::Sum::integer;
    if (sum == Product::Sum::integer) d.refuse("its sums");
    const Number number = d.take("TF32") ? Number::tfloat : d.take("BF16") ? Number::bfloat : Number::half;
    take_matrices(d, step, k, number, number, sum);
}
void decode_byte_product(Decoding& d, Step& step) {
    // "IMMA.16832.U8.S8": bytes of the left matrix, and of the right one.
    const bool left = d.instruction.name.find(".U8.") != std::string::npos, right = d.instruction.name.ends_with(".U8");
    const unsigned k = d.take("16832") ? 32 : d.take("16816") ? 16 : 0;
    const bool of_signed = d.take("S8"), of_unsigned = d.take("U8");
    if (k == 0 || !(of_signed || of_unsigned)) d.refuse();
    const auto number = [](bool is_unsigned) { return is_unsigned ? Number::unsigned_byte : Number::signed_byte; };
    take_matrices(d, step, k, number(left), number(right), Product::Sum::integer);
}

// 8 rows by 4 by 8 columns of doubles.
void multiply_doubles(Warp& warp, const Step& step, std::uint32_t) {
    std::array<std::array<double, kWarp>, 4> in;
    Source second = step.source[2];
    if (second.index != kZeroRegister) second.index = static_cast<std::uint8_t>(second.index + 2);
    for (unsigned k = 0; k < 3; ++k) doubles(warp, step.source[k], in[k]);
    doubles(warp, second, in[3]);
    for (unsigned part = 0; part < 2; ++part)
        for (unsigned lane = 0; lane < kWarp; ++lane) {
            const unsigned row = group_of(lane), column = 2 * place_in_group(lane) + part;
            double& sum = in[2 + part][lane];
            for (unsigned k = 0; k < kInGroup; ++k)
                sum = std::fma(in[0][row * kInGroup + k], in[1][column * kInGroup + k], sum);
        }
    for (unsigned part = 0; part < 2; ++part) {
        Words low, high;
        for (unsigned lane = 0; lane < kWarp; ++lane) {
            const auto bits = bits_as<std::uint64_t>(in[2 + part][lane]);
            low[lane] = static_cast<std::uint32_t>(bits);
            high[lane] = static_cast<std::uint32_t>(bits >> 32);
        }
        put(warp, step, low, kAll, 2 * part);
        put(warp, step, high, kAll, 2 * part + 1);
    }
}
void decode_double_product(Decoding& d, Step& step) {
    if (!d.take("8x8x4") && !d.take("884")) d.refuse("its sizes");
    step.action = multiply_doubles;
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) {
        step.source[i].index = taken_register(d);
        step.source[i].from = Source::From::reg;
    }
}

// -- a matrix of 8 rows of 8 halves, its rows and columns exchanged ---------------------------------------------------

void transpose(Warp& warp, const Step& step, std::uint32_t) {
    Words result;
    for (unsigned lane = 0; lane < kWarp; ++lane) {
        const unsigned column = group_of(lane), row = 2 * place_in_group(lane);
        const auto half = [&](unsigned at) {
            return word(warp, step.source[0].index, at * kInGroup + column / 2) >> 16 * (column % 2) & 0xffff;
        };
        result[lane] = half(row) | half(row + 1) << 16;
    }
    put(warp, step, result, kAll);
}
void decode_transpose(Decoding& d, Step& step) {
    if (!d.take("16") || !d.take("MT88")) d.refuse();
    step.action = transpose;
    d.target(step);
    step.source[0].index = taken_register(d);
}

}  // namespace

Decoder matrix_decoder(std::string_view name) {
    if (name == "HMMA") return decode_half_product;
    if (name == "IMMA") return decode_byte_product;
    if (name == "DMMA") return decode_double_product;
    if (name == "MOVM") return decode_transpose;
    return nullptr;
}

}  // namespace lanework::machine
