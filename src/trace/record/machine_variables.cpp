// Variables are found by name in the symbol table of the traced program.
#include "src/trace/record/machine_variables.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "src/gpu/sass/execution.hpp"

namespace lanework {
namespace {

/// "(anonymous namespace)::taps" and "_INTERNAL_…_mine_cu_…::_GLOBAL__N__…::taps" are both "taps".
std::string plain_variable(const std::string& with_unit) {
    const std::string symbol = without_unit(with_unit);
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    const std::string_view name = status == 0 ? std::string_view(text.get()) : std::string_view(symbol);
    std::string plain;
    std::size_t begin = 0;
    int depth = 0;
    const auto end_scope = [&](std::size_t end) {
        const std::string_view scope = name.substr(begin, end - begin);
        const bool unnamed = scope.starts_with("(anonymous namespace)") || scope.starts_with("_INTERNAL_") ||
                             scope.starts_with("_GLOBAL__N_") || scope == "on_simt" || scope == "on_cuda";
        if (!unnamed) (plain += plain.empty() ? "" : "::") += scope;
    };
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' || name[i] == '(' ? 1 : name[i] == '>' || name[i] == ')' ? -1 : 0;
        if (depth != 0 || name.substr(i, 2) != "::") continue;
        end_scope(i);
        begin = ++i + 1;
    }
    end_scope(name.size());
    return plain;
}

/// "sum.cu.cpp", which "sum.cu" was translated to, as nvcc puts its name into symbols: "sum_cu".
std::string as_in_symbols(std::string_view file) {
    constexpr std::string_view kTranslated = ".cpp";
    if (file.ends_with(kTranslated)) file.remove_suffix(kTranslated.size());
    std::string name(file);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

/// Whether an instruction has such an operand.
bool is_named(const MachineCode& code, const std::string& operand) {
    return std::ranges::any_of(code.kernels, [&](const MachineKernel& kernel) {
        return std::ranges::any_of(kernel.instructions, [&](const MachineInstruction& instruction) {
            return instruction.operands.find(operand) != std::string::npos;
        });
    });
}

}  // namespace

std::vector<lanework_simt::ModuleVariable> variables_named(std::span<const lanework_simt::ModuleVariable> all,
                                                           const std::string& symbol) {
    const std::string wanted = plain_variable(symbol);
    const std::string_view last = std::string_view(wanted).substr(wanted.rfind(':') + 1);
    std::vector<lanework_simt::ModuleVariable> named;
    for (const lanework_simt::ModuleVariable& variable : all) {
        if (variable.symbol == symbol) return {variable};
        if (variable.symbol.find(last) != variable.symbol.npos && plain_variable(variable.symbol) == wanted)
            named.push_back(variable);
    }
    // Of several files' own the one of the file that the symbol names: "…_INTERNAL_…_sum_cu_…".
    std::vector<lanework_simt::ModuleVariable> own;
    for (const lanework_simt::ModuleVariable& variable : named)
        if (symbol.find("_" + as_in_symbols(variable.file) + "_") != symbol.npos) own.push_back(variable);
    return own.empty() ? named : own;
}

MachineVariables::MachineVariables(const MachineCode& code, const void* in)
    : bank_(code.constants.bytes), globals_(code.globals.bytes) {
    if (code.constants.variables.empty() && code.globals.variables.empty()) return;
    const std::vector<lanework_simt::ModuleVariable> all = lanework_simt::module_variables(in);
    // Without a table of symbols nothing is known of any.
    const auto unclear = [&](const auto& named) { return named.size() > 1 || all.empty(); };
    for (const MachineSymbol& constant : code.constants.variables) {
        const auto named = variables_named(all, constant.name);
        if (unclear(named))
            unclear_constant_ = constant.name;
        else if (!named.empty())
            constants_.push_back(
                {constant.offset, {named[0].address, std::min<std::size_t>(named[0].bytes, constant.bytes)}});
    }
    for (const MachineSymbol& held : code.addresses) {
        addresses_.resize(std::max<std::size_t>(addresses_.size(), held.offset + held.bytes));
        const auto own = std::ranges::find(code.globals.variables, held.name, &MachineSymbol::name);
        if (own == code.globals.variables.end()) {
            // A function's.
            if (held.name == "vprintf") std::memcpy(&addresses_[held.offset], &kPrintingFunction, held.bytes);
            continue;
        }
        const std::byte* const address = find(*own, all).data();
        std::memcpy(&addresses_[held.offset], &address, held.bytes);
        symbols_.emplace(own->name, reinterpret_cast<std::uint64_t>(address));
    }
    for (const MachineSymbol& variable : code.globals.variables)
        if (!symbols_.contains(variable.name) && is_named(code, "32@lo(" + variable.name + ")"))
            symbols_.emplace(variable.name, reinterpret_cast<std::uint64_t>(find(variable, all).data()));
}

/// Where the traced program has it; empty where that is not clear.
std::span<std::byte> MachineVariables::find(const MachineSymbol& variable,
                                            std::span<const lanework_simt::ModuleVariable> all) {
    const auto named = variables_named(all, variable.name);
    if (named.size() > 1 || all.empty()) {
        unclear_address_ = variable.name;
        return {};
    }
    if (named.empty()) return left_out_.emplace_back(globals_.data() + variable.offset, variable.bytes);
    return memory_.emplace_back(named[0].address, named[0].bytes);
}

std::vector<std::byte> MachineVariables::constants() const {
    std::vector<std::byte> bank = bank_;
    for (const Constant& constant : constants_)
        if (constant.offset + constant.value.size() <= bank.size())
            std::ranges::copy(constant.value, bank.begin() + static_cast<std::ptrdiff_t>(constant.offset));
    return bank;
}

}  // namespace lanework
