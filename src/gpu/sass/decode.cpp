// From an instruction's text to what is executed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

using Kind = MachineOperand::Kind;

/// A finite literal as nvdisasm writes it, with a decimal point whatever the locale: this runs in the process of the
/// program that is explained, which may have set one with commas.
template <class Real>
Real finite(const std::string& text) {
    Real value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw Unsupported(fmt::format("the literal {} is not known here", text));
    return value;
}

float as_float(const std::string& text) {
    if (text.find("NAN") != text.npos) return bits_as<float>(text.front() == '-' ? 0xffffffffu : 0x7fffffffu);
    if (text.find("INF") != text.npos) return text.front() == '-' ? -HUGE_VALF : HUGE_VALF;
    return finite<float>(text);
}
double as_double(const std::string& text) {
    if (text.find("NAN") != text.npos) return std::nan("");
    if (text.find("INF") != text.npos) return text.front() == '-' ? -HUGE_VAL : HUGE_VAL;
    return finite<double>(text);
}

std::uint64_t as_integer(const std::string& text) {
    const bool negative = text.starts_with('-');
    const std::uint64_t value = std::strtoull(text.c_str() + negative, nullptr, 0);
    return negative ? 0 - value : value;
}

}  // namespace

Decoding::Decoding(const MachineInstruction& of, const Launch& within)
    : launch(within), instruction(of), operands_(parse_operands(of.operands)) {
    std::string_view rest = of.name;
    name_ = rest.substr(0, rest.find('.'));
    rest.remove_prefix(name_.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);
        modifiers_.push_back(rest.substr(0, rest.find('.')));
        rest.remove_prefix(modifiers_.back().size());
    }
}

bool Decoding::take(std::string_view modifier) { return std::erase(modifiers_, modifier) != 0; }

void Decoding::ignore(std::initializer_list<std::string_view> modifiers) {
    for (const std::string_view modifier : modifiers) take(modifier);
}

void Decoding::refuse(std::string_view why) const {
    throw Unsupported(fmt::format("{} is not known here{}{}", instruction.text(), why.empty() ? "" : ": ", why));
}

void Decoding::finish() const {
    if (!modifiers_.empty()) refuse(modifiers_.front());
    if (next_ < operands_.size()) refuse("it has more operands than expected");
}

const MachineOperand& Decoding::peek() const {
    static const MachineOperand kNone;
    return next_ < operands_.size() ? operands_[next_] : kNone;
}

MachineOperand Decoding::next() {
    if (next_ == operands_.size()) refuse("it has fewer operands than expected");
    return operands_[next_++];
}

void Decoding::target(Step& step) {
    const MachineOperand operand = next();
    if (!operand.is(Kind::reg) && !operand.is(Kind::uniform)) refuse("its target is no register");
    step.target = static_cast<std::uint8_t>(operand.index);
    step.uniform_target = operand.is(Kind::uniform);
}

void Decoding::set(Step& step, std::size_t most) {
    for (std::size_t i = 0; i < most && peek().is_predicate(); ++i) {
        const MachineOperand operand = next();
        step.set[i] = {static_cast<std::uint8_t>(operand.index), operand.is(Kind::upredicate), false};
    }
}

Source Decoding::constant(const MachineOperand& operand) const {
    if (!Launch::has_bank(operand.index) || operand.base != kZeroRegister || operand.uniform_base != kZeroUniform)
        refuse("a constant of a bank that is not known here");
    Source source;
    const std::span<const std::byte> bank = launch.bank(operand.index);
    const auto offset = static_cast<std::size_t>(operand.offset);
    if (offset + sizeof(std::uint32_t) > bank.size()) refuse("a constant behind the end of its bank");
    std::memcpy(&source.value, bank.data() + offset, std::min(sizeof source.value, bank.size() - offset));
    return source;
}

std::uint64_t Decoding::place(const MachineOperand& operand) const {
    const auto label = launch.kernel.labels.find(operand.text);
    if (label != launch.kernel.labels.end()) return label->second;
    const auto variable = launch.about.symbols.find(operand.text);
    if (variable == launch.about.symbols.end()) refuse("its address");
    return variable->second;
}

Source Decoding::source(Type type) {
    const MachineOperand operand = next();
    Source source;
    switch (operand.kind) {
        case Kind::reg:
            source.from = Source::From::reg;
            source.index = static_cast<std::uint8_t>(operand.index);
            break;
        case Kind::uniform:
            source.from = Source::From::uniform;
            source.index = static_cast<std::uint8_t>(operand.index);
            break;
        case Kind::constant: source = constant(operand); break;
        case Kind::number:
            if (type == Type::single) {
                source.value = bits_as<std::uint32_t>(as_float(operand.text));
            } else if (type == Type::double_high) {
                source.value = bits_as<std::uint64_t>(as_double(operand.text));
            } else if (type == Type::two_halves) {
                // Two numbers, the upper half first.
                const MachineOperand low = next();
                if (!low.is(Kind::number)) refuse("half a literal");
                source.value = std::uint64_t{half_bits(as_double(operand.text))} << 16 | half_bits(as_double(low.text));
            } else {
                source.value = as_integer(operand.text);
                if (type == Type::integer) source.value &= kAll;
            }
            break;
        case Kind::low_place:
        case Kind::high_place: source.value = place(operand) >> (operand.is(Kind::high_place) ? 32 : 0) & kAll; break;
        default: refuse("an operand that is no value");
    }
    source.negative = operand.negative;
    source.absolute = operand.absolute;
    source.inverted = operand.inverted;
    source.half = operand.half;
    source.byte = static_cast<std::int8_t>(operand.byte);
    return source;
}

Predicate Decoding::test() {
    const MachineOperand operand = next();
    if (!operand.is_predicate()) refuse("an operand that is no predicate");
    return {static_cast<std::uint8_t>(operand.index), operand.is(Kind::upredicate), operand.negated};
}

Address Decoding::address() {
    const MachineOperand operand = next();
    if (!operand.is(Kind::memory)) refuse("an operand that is no address");
    return {static_cast<std::uint8_t>(operand.base), static_cast<std::uint8_t>(operand.uniform_base), operand.wide,
            static_cast<std::uint8_t>(operand.scale), operand.offset};
}

std::uint32_t Decoding::label() {
    const MachineOperand operand = next();
    std::uint64_t address = 0;
    if (operand.is(Kind::label)) {
        const auto found = launch.kernel.labels.find(operand.text);
        if (found == launch.kernel.labels.end()) refuse("a place that is not within the kernel");
        address = found->second;
    } else if (operand.is(Kind::number)) {
        address = as_integer(operand.text);
    } else {
        refuse("a place that is computed");
    }
    constexpr std::uint64_t kInstructionBytes = 16;
    if (address / kInstructionBytes >= launch.step_at.size()) refuse("a place behind the kernel");
    return launch.step_at[address / kInstructionBytes];
}

std::uint64_t Decoding::literal() {
    const MachineOperand operand = next();
    if (!operand.is(Kind::number)) refuse("an operand that is no number");
    return as_integer(operand.text);
}

Predicate guard_of(const MachineInstruction& instruction, const Launch& launch) {
    if (instruction.guard.empty()) return {};
    const auto guard = parse_operands(std::string_view(instruction.guard).substr(1));
    if (guard.size() != 1 || !guard.front().is_predicate()) Decoding(instruction, launch).refuse("its predicate");
    return {static_cast<std::uint8_t>(guard.front().index), guard.front().is(Kind::upredicate), guard.front().negated};
}

Step decode(const MachineInstruction& instruction, const Launch& launch) {
    Step step;
    Decoding decoding(instruction, launch);
    Decoder decoder = nullptr;
    for (const auto find : {integer_decoder, move_decoder, memory_decoder, control_decoder, float_decoder,
                            conversion_decoder, half_decoder, warp_decoder, texture_decoder, matrix_decoder})
        if (!decoder) decoder = find(decoding.name());
    if (!decoder) decoding.refuse();
    decoder(decoding, step);
    decoding.finish();
    step.guard = guard_of(instruction, launch);
    return step;
}

}  // namespace lanework::machine
