// Where values that atomic operations returned go: along every way through the code, in registers, and in shared and
// local memory, as wholes of one width.
#include <algorithm>
#include <array>
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/operand.hpp"

namespace lanework {
namespace {

using Kind = MachineOperand::Kind;

/// Words are read as they were written.
constexpr std::array<std::string_view, 4> kWidths = {"128", "64", "16", "8"};

// Registers, uniform registers, predicates, uniform predicates, and shared and local memory by width, one behind the
// other.
constexpr unsigned kUniforms = kZeroRegister + 1, kPredicates = kUniforms + kZeroUniform + 1,
                   kUniformPredicates = kPredicates + kTruePredicate + 1,
                   kShared = kUniformPredicates + kTruePredicate + 1, kLocal = kShared + kWidths.size() + 1,
                   kPlaces = kLocal + kWidths.size() + 1;
using Values = std::bitset<kPlaces>;

void add(Values& values, unsigned kind, unsigned first, unsigned count, unsigned zero) {
    for (unsigned i = first; i < first + count && i < zero; ++i) values.set(kind + i);
}

/// What an operand stands for. Of what is read the first of several registers says enough: addresses are summed there.
Values values_of(const MachineOperand& operand, unsigned width = 1) {
    Values values;
    if (operand.is(Kind::reg)) add(values, 0, operand.index, width, kZeroRegister);
    if (operand.is(Kind::uniform)) add(values, kUniforms, operand.index, width, kZeroUniform);
    if (operand.is(Kind::predicate)) add(values, kPredicates, operand.index, 1, kTruePredicate);
    if (operand.is(Kind::upredicate)) add(values, kUniformPredicates, operand.index, 1, kTruePredicate);
    if (operand.is(Kind::memory) || operand.is(Kind::constant)) {
        add(values, 0, operand.base, width, kZeroRegister);
        add(values, kUniforms, operand.uniform_base, 1, kZeroUniform);
    }
    return values;
}

/// How many of the operands are written: the first and the predicates behind it; of an exchange between lanes or with
/// memory the predicate and the register behind it.
std::size_t written(std::string_view name, std::span<const MachineOperand> operands) {
    std::size_t count = std::min<std::size_t>(1, operands.size());
    while (count < operands.size() && operands[count].is_predicate()) ++count;
    const bool behind = name.starts_with("SHFL") || name.starts_with("ATOM");
    return behind && count < operands.size() && operands[0].is_predicate() ? count + 1 : count;
}

/// Where an instruction stores to or loads from; nothing for global memory, through which values are not followed.
Values shelf_of(std::string_view name) {
    const bool shared = name.starts_with("LDS") || name.starts_with("STS");
    const bool local = name.starts_with("LDL") || name.starts_with("STL");
    Values shelf;
    if (!shared && !local) return shelf;
    const auto wide = std::ranges::find_if(kWidths, [&](std::string_view width) { return name.ends_with(width); });
    shelf.set((shared ? kShared : kLocal) + static_cast<std::size_t>(wide - kWidths.begin()));
    return shelf;
}

/// What an instruction does with values.
struct Use {
    explicit Use(const MachineInstruction& instruction) {
        if (is_branch(instruction)) return;
        const std::string_view name = instruction.name, guarded = instruction.guard;  // "@!P0"
        draws = name.starts_with("ATOM");
        stores = name.starts_with("ST") || name.starts_with("RED.") || name.starts_with("REDG");
        accesses = draws || stores || name.starts_with("LD");
        for (const MachineOperand& each : parse_operands(guarded.substr(guarded.starts_with('@') ? 1 : 0)))
            guard |= values_of(each);
        const std::vector<MachineOperand> operands = parse_operands(instruction.operands);
        const std::size_t results = stores ? 0 : written(name, operands);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (operands[k].is(Kind::memory))
                address |= values_of(operands[k]);
            else if (k < results)
                writes |= values_of(operands[k], width_of(instruction, operands[k]));
            else
                reads |= values_of(operands[k]);
        }
        (stores ? writes : reads) |= shelf_of(name);
        replaces = guarded.empty() && !stores;
    }

    Values guard, address, reads, writes;
    bool draws = false, stores = false, accesses = false;
    /// What it writes held is gone.
    bool replaces = false;
};

/// Follows what was drawn along every way through the code.
class Draws {
public:
    explicit Draws(const MachineKernel& kernel)
        : kernel_(kernel), ways_(ways_through(kernel)), drawn_(ways_.size()), before_(ways_.size()) {
        for (const MachineInstruction& instruction : kernel.instructions) uses_.emplace_back(instruction);
        add_calls_and_tables();
        for (std::size_t i = ways_.size(); i-- != 0;) changed_.push_back(i);
        while (!changed_.empty()) {
            const std::size_t at = changed_.back();
            changed_.pop_back();
            const Values after = follow(at);
            for (const std::size_t next : ways_[at]) reach(next, after);
        }
    }

    const std::vector<bool>& drawn() const { return drawn_; }

private:
    /// A call leads to its label, a return behind every call, and a jump to a place from a table to every label.
    void add_calls_and_tables() {
        std::vector<std::size_t> labels, behind_calls;
        for (const auto& [name, address] : kernel_.labels) labels.push_back(instruction_at(kernel_, address));
        for (std::size_t i = 0; i + 1 < ways_.size(); ++i)
            if (is(i, "CALL")) behind_calls.push_back(i + 1);
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            std::vector<std::size_t> more;
            if (is(i, "RET")) more = behind_calls;
            if (is(i, "BRX") || is(i, "JMX")) more = labels;
            if (is(i, "CALL") || is(i, "JMP"))
                for (const MachineOperand& operand : parse_operands(kernel_.instructions[i].operands))
                    if (const auto label = kernel_.labels.find(operand.text); label != kernel_.labels.end())
                        more.push_back(instruction_at(kernel_, label->second));
            ways_[i].insert(ways_[i].end(), more.begin(), more.end());
        }
    }

    bool is(std::size_t at, std::string_view name) const { return kernel_.instructions[at].name.starts_with(name); }

    void reach(std::size_t at, const Values& values) {
        if (at >= before_.size() || (values & ~before_[at]).none()) return;
        before_[at] |= values;
        changed_.push_back(at);
    }

    Values follow(std::size_t at) {
        const Use& use = uses_[at];
        Values values = before_[at];
        const bool here = (use.address & values).any(), chosen = (use.guard & values).any();
        if (use.accesses && (here || chosen)) drawn_[at] = true;
        const bool draws = use.draws || chosen || (use.reads & values).any() || (here && !use.stores);
        if (draws && !(use.stores && here))
            values |= use.writes;
        else if (use.replaces)
            values &= ~use.writes;
        return values;
    }

    const MachineKernel& kernel_;
    std::vector<std::vector<std::size_t>> ways_;
    std::vector<bool> drawn_;
    std::vector<Use> uses_;
    std::vector<Values> before_;
    std::vector<std::size_t> changed_;
};

}  // namespace

std::vector<bool> drawn_accesses(const MachineKernel& kernel) { return Draws(kernel).drawn(); }

}  // namespace lanework
