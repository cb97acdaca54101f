// Where values go: along every way through the code, in registers, and in shared and local memory, as wholes of one
// width. Of those that atomic operations returned, and of parameters and of what was loaded as far as they are
// addresses.
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
        loads = name.starts_with("LD") && shelf_of(name).none();
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
    bool draws = false, loads = false, stores = false, accesses = false;
    /// What it writes held is gone.
    bool replaces = false;
};

/// Follows what some instructions bring along every way through the code.
class Draws {
public:
    /// `begins(i)`: instruction i brings it. `loads`: what is loaded from where it says counts as it, too.
    template <class Begins>
    Draws(const MachineKernel& kernel, Begins begins, bool loads)
        : kernel_(kernel), ways_(ways_through(kernel)), drawn_(ways_.size()), before_(ways_.size()) {
        for (const MachineInstruction& instruction : kernel.instructions) {
            Use& use = uses_.emplace_back(instruction);
            use.draws = begins(uses_.size() - 1);
            use.loads = use.loads && !loads;
        }
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
        const bool draws = use.draws || chosen || (use.reads & values).any() || (here && !use.stores && !use.loads);
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

std::vector<bool> drawn_accesses(const MachineKernel& kernel) {
    const auto draws = [&](std::size_t i) { return kernel.instructions[i].name.starts_with("ATOM"); };
    return Draws(kernel, draws, true).drawn();
}

StoredThrough stored_through(const MachineKernel& kernel) {
    const auto writes = [](const MachineInstruction& instruction) {
        const std::string_view name = instruction.name;
        return name.starts_with("ST") || name.starts_with("RED") || name.starts_with("ATOM");
    };
    /// Whether what these instructions bring says where something is written.
    const auto reaches = [&](auto brings) {
        const auto begins = [&](std::size_t i) { return brings(kernel.instructions[i]); };
        const std::vector<bool> accesses = Draws(kernel, begins, false).drawn();
        for (std::size_t i = 0; i < accesses.size(); ++i)
            if (writes(kernel.instructions[i]) && (accesses[i] || begins(i))) return true;
        return false;
    };
    // An index in memory that says which constant it is may make it any one.
    const auto takes_constant = [](const MachineInstruction& instruction, unsigned bank, std::int64_t first,
                                   std::int64_t end) {
        return std::ranges::any_of(parse_operands(instruction.operands), [&](const MachineOperand& operand) {
            if (!operand.is(Kind::constant) || operand.index != bank) return false;
            const bool indexed = operand.base != kZeroRegister || operand.uniform_base != kZeroUniform;
            constexpr std::int64_t kWidest = 16;
            return indexed || (operand.offset < end && operand.offset + kWidest > first);
        });
    };
    StoredThrough through;
    for (const MachineParameter& parameter : kernel.parameters) {
        const std::int64_t first = kernel.parameter_base + parameter.offset;
        through.parameters.push_back(reaches(
            [&](const MachineInstruction& each) { return takes_constant(each, 0, first, first + parameter.bytes); }));
    }
    through.variables = reaches([&](const MachineInstruction& each) {
        return takes_constant(each, 4, 0, std::int64_t{1} << 32) || each.operands.find("32@") != std::string::npos;
    });
    // A pointer is loaded as a whole.
    through.memory = reaches([](const MachineInstruction& each) {
        const std::string_view name = each.name;
        return name.starts_with("LD") && !name.starts_with("LDC") && shelf_of(name).none() &&
               (name.find(".64") != name.npos || name.find(".128") != name.npos);
    });
    return through;
}

}  // namespace lanework
