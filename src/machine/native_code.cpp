// The compatibility rules of machine code and PTX.
#include "src/machine/native_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace lanework {
namespace {

// Systems on a chip run no machine code of the cards of their generation, nor these theirs.
bool on_a_chip(int capability) {
    constexpr int kJetson[] = {53, 62, 72, 87, 101, 110};
    return std::find(std::begin(kJetson), std::end(kJetson), capability) != std::end(kJetson);
}

bool runs_machine_code(const CompiledCode& code, int capability) {
    if (!code.machine_code) return false;
    if (code.number == capability) return true;
    return code.restriction != 'a' && code.number / 10 == capability / 10 && code.number < capability &&
           !on_a_chip(code.number) && !on_a_chip(capability);
}

bool compiles_ptx(const CompiledCode& code, int capability) {
    if (!code.ptx) return false;
    if (code.restriction == 'a') return code.number == capability;
    if (code.restriction == 'f') return code.number / 10 == capability / 10 && code.number <= capability;
    return code.number <= capability;
}

// The newest of those that can be used.
template <class Usable>
const CompiledCode* newest(const std::vector<CompiledCode>& compiled, Usable usable) {
    const CompiledCode* found = nullptr;
    for (const CompiledCode& code : compiled)
        if (usable(code) && (!found || code.number > found->number)) found = &code;
    return found;
}

std::string name_of(const CompiledCode& code, const char* prefix) {
    return fmt::format("{}{}{}", prefix, code.number, code.restriction ? std::string(1, code.restriction) : "");
}

}  // namespace

std::vector<CompiledCode> parse_compiled_code(std::string_view architectures) {
    std::vector<CompiledCode> result;
    while (!architectures.empty()) {
        const auto end = std::min(architectures.find_first_of(";,"), architectures.size());
        std::string_view word = architectures.substr(0, end);
        architectures.remove_prefix(std::min(end + 1, architectures.size()));
        CompiledCode code;
        const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), code.number);
        if (error != std::errc()) continue;
        word.remove_prefix(static_cast<std::size_t>(rest - word.data()));
        if (word.starts_with('a') || word.starts_with('f')) {
            code.restriction = word.front();
            word.remove_prefix(1);
        }
        code.machine_code = word.empty() || word == "-real";
        code.ptx = word.empty() || word == "-virtual";
        if (code.machine_code || code.ptx) result.push_back(code);
    }
    return result;
}

ChosenCode choose_code(const std::vector<CompiledCode>& compiled, int capability) {
    if (const auto* code = newest(compiled, [=](const auto& c) { return runs_machine_code(c, capability); }))
        return {code->number == capability ? CodeKind::exact : CodeKind::same_generation, *code};
    if (const auto* code = newest(compiled, [=](const auto& c) { return compiles_ptx(c, capability); }))
        return {CodeKind::ptx, *code};
    return {};
}

std::string describe_code(const ChosenCode& chosen, int capability, bool cache_off) {
    const std::string rebuild = fmt::format("build with -DCMAKE_CUDA_ARCHITECTURES={}", capability);
    switch (chosen.kind) {
        case CodeKind::exact:
            return fmt::format("machine code made for it ({}): starts at once", name_of(chosen.code, "sm_"));
        case CodeKind::same_generation:
            return fmt::format("machine code of {}, which sm_{} runs too: starts at once; for code made for it, {}",
                               name_of(chosen.code, "sm_"), capability, rebuild);
        case CodeKind::ptx:
            return fmt::format(
                "PTX ({}): the driver compiles each kernel when it is first used, which takes seconds {}; to spare "
                "that, "
                "{}",
                name_of(chosen.code, "compute_"),
                cache_off ? "at every start, as CUDA_CACHE_DISABLE is set" : "once, and keeps it in ~/.nv/ComputeCache",
                rebuild);
        case CodeKind::none: break;
    }
    return fmt::format("none: nothing in this program runs on sm_{}; {}", capability, rebuild);
}

}  // namespace lanework
