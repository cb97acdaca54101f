// Names of SASS, as the tables "Instruction Set Reference" of NVIDIA's "CUDA Binary Utilities" list them.
#include "src/gpu/sass/instructions.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/operand.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework {
namespace {

std::string_view base_of(const MachineInstruction& instruction) {
    return std::string_view(instruction.name).substr(0, instruction.name.find('.'));
}
bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_branch(const MachineInstruction& instruction) {
    return is_one_of(base_of(instruction), {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET"});
}

std::optional<std::uint64_t> branch_target(const MachineKernel& kernel, const MachineInstruction& instruction) {
    if (base_of(instruction) != "BRA") return std::nullopt;
    for (const MachineOperand& operand : parse_operands(instruction.operands)) {
        const auto label =
            operand.is(MachineOperand::Kind::label) ? kernel.labels.find(operand.text) : kernel.labels.end();
        if (label != kernel.labels.end()) return label->second;
    }
    return std::nullopt;
}

std::size_t instruction_at(const MachineKernel& kernel, std::uint64_t address) {
    const auto& all = kernel.instructions;
    return static_cast<std::size_t>(std::ranges::lower_bound(all, address, {}, &MachineInstruction::address) -
                                    all.begin());
}

std::vector<std::vector<std::size_t>> ways_through(const MachineKernel& kernel) {
    const auto& all = kernel.instructions;
    std::vector<std::vector<std::size_t>> ways(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto target = branch_target(kernel, all[i]);
        if (const std::size_t at = target ? instruction_at(kernel, *target) : all.size(); at < all.size())
            ways[i].push_back(at);
        const bool leaves = is_one_of(base_of(all[i]), {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "RET", "EXIT"});
        // A jump that has a condition has a guard, or a predicate before its label.
        const bool conditional = !all[i].guard.empty() || parse_operands(all[i].operands).size() > 1;
        if ((!leaves || conditional) && i + 1 < all.size()) ways[i].push_back(i + 1);
    }
    return ways;
}

unsigned width_of(const MachineInstruction& instruction, const MachineOperand& operand) {
    const std::string_view name = instruction.name;
    const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
    if (operand.is(MachineOperand::Kind::memory)) return operand.wide || has(".E") ? 2 : 1;
    if (has(".128")) return 4;
    return operand.wide || has(".64") || has(".WIDE") || name.starts_with("D") || name == "CS2R" ? 2 : 1;
}

bool reads_clock(const MachineInstruction& instruction) {
    return instruction.operands.find("SR_CLOCK") != std::string::npos ||
           instruction.operands.find("SR_GLOBALTIMER") != std::string::npos;
}

std::vector<bool> waiting_instructions(const MachineKernel& kernel) {
    const auto& all = kernel.instructions;
    std::vector<bool> waits(all.size());
    const auto asks = [](const MachineInstruction& instruction) {
        const std::string_view name = instruction.name;
        if (reads_clock(instruction)) return true;
        if (name.starts_with("ATOMS.CAS")) return true;
        const bool far = name.find(".GPU") != name.npos || name.find(".SYS") != name.npos;
        const bool loads = name.starts_with("LD") && name.find(".STRONG") != name.npos;
        return far && (loads || (name.starts_with("ATOM") &&
                                 (name.find(".CAS") != name.npos || name.find(".EXCH") != name.npos)));
    };
    for (std::size_t end = 0; end < all.size(); ++end) {
        const auto target = branch_target(kernel, all[end]);
        if (!target) continue;
        for (std::size_t i = 0; i < end; ++i)
            if (all[i].address >= *target && asks(all[i])) waits[i] = true;
    }
    return waits;
}

namespace {

using Touched = machine::Registers;

void touch(Touched& touched, const MachineInstruction& instruction, const MachineOperand& operand) {
    using Kind = MachineOperand::Kind;
    const auto add = [&](unsigned first, unsigned index, unsigned count, unsigned zero) {
        for (unsigned i = index; i < index + count && i < zero; ++i) touched.set(first + i);
    };
    const unsigned width = width_of(instruction, operand);
    if (operand.is(Kind::reg)) add(0, operand.index, width, kZeroRegister);
    if (operand.is(Kind::uniform)) add(machine::kUniformsBegin, operand.index, width, kZeroUniform);
    if (operand.is(Kind::predicate)) add(machine::kPredicatesBegin, operand.index, 1, kTruePredicate);
    if (operand.is(Kind::upredicate)) add(machine::kUniformPredicatesBegin, operand.index, 1, kTruePredicate);
    if (operand.is(Kind::memory) || operand.is(Kind::constant)) {
        add(0, operand.base, width, kZeroRegister);
        add(machine::kUniformsBegin, operand.uniform_base, 2, kZeroUniform);
    }
}

/// How many of the operands the instruction writes, the first ones: a register with predicates before or behind it, or
/// the two predicates of a comparison.
std::size_t targets(const MachineInstruction& instruction, std::span<const MachineOperand> operands) {
    using Kind = MachineOperand::Kind;
    const bool compares = instruction.name.find("SETP") != std::string::npos || base_of(instruction) == "PLOP3";
    bool registers = compares;  // that it may write have been seen
    std::size_t count = 0;
    for (; count < operands.size(); ++count) {
        const bool is_register = operands[count].is(Kind::reg) || operands[count].is(Kind::uniform);
        if (!operands[count].is_predicate() && (registers || !is_register)) break;
        if (compares && count == 2) break;
        registers |= is_register;
    }
    return count;
}

/// Whether instructions from the first to the last, which leads back, leave nothing behind but what they set anew in
/// each turn.
bool is_idle(const MachineKernel& kernel, std::size_t first, std::size_t last, const std::vector<bool>& asks) {
    Touched set, read_before, written;
    for (std::size_t i = first; i <= last; ++i) {
        const MachineInstruction& instruction = kernel.instructions[i];
        const bool harmless = is_one_of(base_of(instruction), {"YIELD", "NANOSLEEP", "NOP", "CCTL", "MEMBAR", "ERRBAR",
                                                               "CGAERRBAR", "LDC", "ULDC"});
        const Pipe pipe = pipe_of(instruction);
        if (is_branch(instruction)) {
            const auto target = branch_target(kernel, instruction);
            if (!target || (i != last && *target <= kernel.instructions[last].address)) return false;
        } else if (!asks[i] && !harmless && (pipe == Pipe::memory || pipe == Pipe::control || pipe == Pipe::other) &&
                   !reads_clock(instruction)) {
            return false;
        }
        const std::vector<MachineOperand> operands = parse_operands(instruction.operands);
        const bool guarded = !instruction.guard.empty();
        Touched read, changed;
        if (guarded)
            for (const MachineOperand& guard : parse_operands(instruction.guard.substr(1)))
                touch(read, instruction, guard);
        const std::size_t count = is_branch(instruction) ? 0 : targets(instruction, operands);
        for (std::size_t k = 0; k < operands.size(); ++k) touch(k < count ? changed : read, instruction, operands[k]);
        read_before |= read & ~set;
        written |= changed;
        if (!guarded) set |= changed;
    }
    return (read_before & written).none();
}

}  // namespace

std::vector<bool> idle_instructions(const MachineKernel& kernel) {
    const auto& all = kernel.instructions;
    const std::vector<bool> asks = waiting_instructions(kernel);
    std::vector<bool> idle(all.size());
    for (std::size_t last = 0; last < all.size(); ++last) {
        const auto target = branch_target(kernel, all[last]);
        if (!target || *target > all[last].address) continue;
        const std::size_t first = instruction_at(kernel, *target);
        if (!is_idle(kernel, first, last, asks)) continue;
        for (std::size_t i = first; i < last; ++i) idle[i] = asks[i];
    }
    return idle;
}

bool orders_by_hand(const MachineKernel& kernel) {
    bool fences = false, meets = false;
    for (const MachineInstruction& instruction : kernel.instructions) {
        const std::string_view name = instruction.name;
        fences = fences || name.starts_with("MEMBAR");
        meets = meets || name.starts_with("ATOM") || name.starts_with("RED");
    }
    const std::vector<bool> waiting = waiting_instructions(kernel);
    return fences && (meets || std::ranges::find(waiting, true) != waiting.end());
}

namespace {

constexpr unsigned kRegisters = 256;  // the last one keeps nothing
using Registers = std::bitset<kRegisters>;

void add(Registers& registers, unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count && i < kZeroRegister; ++i) registers.set(i);
}

Registers mentioned(const MachineInstruction& instruction, std::span<const MachineOperand> operands) {
    using Kind = MachineOperand::Kind;
    Registers registers;
    for (const MachineOperand& operand : operands) {
        if (operand.is(Kind::reg)) add(registers, operand.index, width_of(instruction, operand));
        if (operand.is(Kind::memory) || operand.is(Kind::constant))
            add(registers, operand.base, width_of(instruction, operand));
    }
    return registers;
}

/// Loads whose results nobody has needed yet: their registers, and copies to shared memory.
struct OnTheirWay {
    Registers registers;
    bool copies = false;

    bool operator==(const OnTheirWay&) const = default;
};

/// Follows loads along every way through the code.
class LoadsFollowed {
public:
    explicit LoadsFollowed(const MachineKernel& kernel)
        : all_(kernel.instructions),
          ways_(ways_through(kernel)),
          waits_(all_.size()),
          before_(all_.size()),
          reached_(all_.size()) {
        for (const MachineInstruction& instruction : all_) operands_.push_back(parse_operands(instruction.operands));
        // Whatever a jump to a place from a table, or a call, leads to begins with nothing on its way.
        for (std::size_t i = all_.size(); i-- != 0;) reach(i, {});
        while (!changed_.empty()) {
            const std::size_t at = changed_.back();
            changed_.pop_back();
            follow(at);
        }
    }

    const std::vector<bool>& waits() const { return waits_; }

private:
    void reach(std::size_t at, const OnTheirWay& loads) {
        const OnTheirWay both{before_[at].registers | loads.registers, before_[at].copies || loads.copies};
        if (reached_[at] && both == before_[at]) return;
        reached_[at] = true;
        before_[at] = both;
        changed_.push_back(at);
    }

    /// A fetch of a texture names two registers that what it brings begins at: components beyond the second go to the
    /// first of them.
    static void add_fetched(std::span<const MachineOperand> operands, Registers& registers) {
        for (std::size_t i = 0; i < std::min<std::size_t>(2, operands.size()); ++i)
            if (operands[i].is(MachineOperand::Kind::reg)) add(registers, operands[i].index, 2);
    }

    void follow(std::size_t at) {
        const MachineInstruction& instruction = all_[at];
        const std::string_view name = base_of(instruction);
        OnTheirWay loads = before_[at];
        waits_[at] =
            (mentioned(instruction, operands_[at]) & loads.registers).any() || (loads.copies && name == "DEPBAR");
        if (waits_[at]) loads = {};
        loads.copies |= name == "LDGSTS";
        if (is_one_of(name, {"LDG", "LD", "ATOMG", "ATOM"})) {
            const auto target = std::ranges::find(operands_[at], MachineOperand::Kind::reg, &MachineOperand::kind);
            if (target != operands_[at].end()) add(loads.registers, target->index, width_of(instruction, *target));
        }
        if (is_one_of(name, {"TEX", "TLD", "TLD4", "TXD"})) add_fetched(operands_[at], loads.registers);
        for (const std::size_t next : ways_[at]) reach(next, loads);
    }

    std::span<const MachineInstruction> all_;
    std::vector<std::vector<std::size_t>> ways_;
    std::vector<bool> waits_;
    std::vector<OnTheirWay> before_;
    std::vector<bool> reached_;
    std::vector<std::vector<MachineOperand>> operands_;
    std::vector<std::size_t> changed_;
};

}  // namespace

std::vector<bool> retried_swaps(const MachineKernel& kernel) {
    using Kind = MachineOperand::Kind;
    const auto& all = kernel.instructions;
    std::vector<bool> retried(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string_view name = all[i].name;
        if (!is_one_of(base_of(all[i]), {"ATOM", "ATOMG"}) || name.find(".CAS") == name.npos) continue;
        const std::vector<MachineOperand> operands = parse_operands(all[i].operands);
        const auto found = std::ranges::find(operands, Kind::reg, &MachineOperand::kind);
        if (found == operands.end()) continue;
        Registers result;
        add(result, found->index, width_of(all[i], *found));
        // What it found is compared before the next jump, which leads back.
        bool compared = false;
        for (std::size_t k = i + 1; k < all.size() && !retried[i]; ++k) {
            const bool compares = base_of(all[k]) == "ISETP";
            compared |= compares && (mentioned(all[k], parse_operands(all[k].operands)) & result).any();
            if (!is_branch(all[k])) continue;
            const auto target = branch_target(kernel, all[k]);
            retried[i] = compared && target && *target <= all[i].address;
            break;
        }
    }
    return retried;
}

std::vector<bool> waits_for_loads(const MachineKernel& kernel) { return LoadsFollowed(kernel).waits(); }

std::vector<bool> copies_by_registers(const MachineKernel& kernel) {
    using Kind = MachineOperand::Kind;
    const auto& all = kernel.instructions;
    std::vector<bool> copies(all.size());
    Registers loaded;  // that hold what a load brought
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::vector<MachineOperand> operands = parse_operands(all[i].operands);
        if (operands.empty()) continue;
        if (base_of(all[i]) == "STS") {
            Registers stored;
            const MachineOperand& value = operands.back();
            if (value.is(Kind::reg) && value.index != kZeroRegister) add(stored, value.index, width_of(all[i], value));
            copies[i] = stored.any() && (stored & ~loaded).none();
        } else if (operands.front().is(Kind::reg)) {
            Registers written;
            add(written, operands.front().index, width_of(all[i], operands.front()));
            loaded = base_of(all[i]) == "LDG" ? loaded | written : loaded & ~written;
        }
    }
    return copies;
}

bool compares_fractions(const MachineInstruction& instruction) {
    return is_one_of(base_of(instruction), {"FSETP", "DSETP", "HSETP2", "FCHK"});
}

bool steers_by_fractions(const MachineKernel& kernel) {
    // In the order of the code: predicates that the last instruction to set them took from such a comparison.
    std::vector<std::string> of_fractions;
    const auto mentions = [&](std::string_view text) {
        return std::ranges::any_of(of_fractions, [&](const std::string& name) { return text.find(name) != text.npos; });
    };
    for (const MachineInstruction& instruction : kernel.instructions) {
        const std::string_view name = base_of(instruction);
        const bool accesses = pipe_of(instruction) == Pipe::memory;
        const bool steers = is_branch(instruction) || is_one_of(name, {"EXIT", "BREAK"}) || accesses;
        const std::string_view operands = instruction.operands;
        const std::string set(operands.substr(0, operands.find(',')));
        if (steers && (mentions(instruction.guard) || (name == "BRA" && mentions(set)))) return true;
        if (name.find("SETP") == name.npos && !is_one_of(name, {"PLOP3", "FCHK"})) continue;
        const bool fractions =
            compares_fractions(instruction) || mentions(operands.substr(std::min(set.size(), operands.size())));
        std::erase(of_fractions, set);
        if (fractions) of_fractions.push_back(set);
    }
    return false;
}

bool rounds_its_own_way(const MachineKernel& kernel) {
    return std::ranges::any_of(kernel.instructions, [](const MachineInstruction& instruction) {
        const std::string_view name = instruction.name;
        const bool adds_in_memory = name.starts_with("RED") || name.starts_with("ATOM");
        return name.starts_with("MUFU") || name.starts_with("TEX") || pipe_of(instruction) == Pipe::matrix ||
               (adds_in_memory && (name.find(".F") != name.npos || name.find("BF16") != name.npos));
    });
}

std::string_view name_of(Pipe pipe) {
    constexpr std::array<std::string_view, kPipes> kNames = {"integer", "single", "half",    "double",  "special",
                                                             "matrix",  "memory", "uniform", "control", "other"};
    return kNames[static_cast<std::size_t>(pipe)];
}

Pipe pipe_of(const MachineInstruction& instruction) {
    const std::string_view name = base_of(instruction);
    const auto begins = [&](std::string_view with) { return name.starts_with(with); };
    if (is_one_of(name, {"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTCHMMA"}))
        return Pipe::matrix;
    if (begins("LD") || begins("ST") || begins("ATOM") || begins("RED") || begins("TEX") || begins("TLD") ||
        begins("SULD") || begins("SUST") || is_one_of(name, {"SHFL", "CCTL", "MEMBAR"}))
        return name == "REDUX" ? Pipe::integer : Pipe::memory;
    if (is_branch(instruction) || is_one_of(name, {"EXIT", "BSSY", "BSYNC", "BREAK", "BMOV", "WARPSYNC", "BAR", "YIELD",
                                                   "NANOSLEEP", "NOP", "DEPBAR", "ERRBAR", "ENDCOLLECTIVE"}))
        return Pipe::control;
    if (is_one_of(name, {"MUFU", "F2F", "F2I", "I2F", "FRND", "POPC", "FLO", "BREV"})) return Pipe::special;
    if (begins("U") || is_one_of(name, {"S2UR", "R2UR"})) return Pipe::uniform;
    if (is_one_of(name, {"DADD", "DMUL", "DFMA", "DSETP", "DMNMX"})) return Pipe::double_precision;
    if (is_one_of(name, {"HADD2", "HMUL2", "HFMA2", "HSETP2", "HMNMX2", "HSET2"})) return Pipe::half;
    if (is_one_of(name, {"FADD", "FMUL", "FFMA", "FFMA2", "FADD2", "FMUL2", "FSEL", "FSET", "FSETP", "FMNMX", "FMNMX3",
                         "FSWZADD", "FCHK"}))
        return Pipe::single;
    if (begins("I") || begins("LOP") || begins("SH") || begins("LEA") || begins("V") ||
        is_one_of(name, {"SEL", "PRMT", "PLOP3", "MOV", "SGXT", "BMSK", "P2R", "R2P", "MATCH", "REDUX"}))
        return Pipe::integer;
    return Pipe::other;
}

}  // namespace lanework
