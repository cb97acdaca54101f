// Sorts instructions by the parts of their names: LDG.E.128, ld.global.v4.f32.
#include "src/report/kernels/code_tally.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>

namespace lanework {
namespace {

constexpr int kBytesPerWord = 4, kBitsPerByte = 8;

struct Instruction {
    /// "LDG", "E", "128".
    std::vector<std::string_view> parts;
    std::string_view operands;

    std::string_view base() const { return parts.front(); }
    bool has(std::string_view part) const { return std::ranges::find(parts, part) != parts.end(); }
    bool is_one_of(std::initializer_list<std::string_view> bases) const {
        return std::ranges::find(bases, base()) != bases.end();
    }
};

std::string_view next_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" ;"));
    text.remove_prefix(word.size());
    return word;
}

// Nothing for labels, declarations and braces.
std::optional<Instruction> instruction_of(std::string_view line, CodeForm form) {
    if (form == CodeForm::sass) next_word(line);  // the address
    std::string_view word = next_word(line);
    if (word.starts_with('@')) word = next_word(line);  // the predicate
    if (word.empty() || word.ends_with(':') || word.find_first_of(".{}$()[]/") == 0) return std::nullopt;
    Instruction instruction{{}, line};
    while (!word.empty()) {
        const std::string_view part = word.substr(0, word.find('.'));
        instruction.parts.push_back(part);
        word.remove_prefix(std::min(part.size() + 1, word.size()));
    }
    return instruction;
}

int number(std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

int sass_bytes(const Instruction& i) {
    for (const std::string_view part : {"U8", "S8"})
        if (i.has(part)) return 1;
    for (const std::string_view part : {"U16", "S16"})
        if (i.has(part)) return 2;
    for (const std::string_view part : {"64", "128", "256"})
        if (i.has(part)) return number(part) / kBitsPerByte;
    return kBytesPerWord;
}

void count_sass_access(const Instruction& i, CodeTally& tally) {
    struct Named {
        std::string_view base;
        CodeMemory memory;
        bool store;
    };
    constexpr Named kAccesses[] = {
        {"LDG", CodeMemory::global, false}, {"STG", CodeMemory::global, true}, {"LDS", CodeMemory::shared, false},
        {"STS", CodeMemory::shared, true},  {"LDL", CodeMemory::local, false}, {"STL", CodeMemory::local, true},
        {"LD", CodeMemory::generic, false}, {"ST", CodeMemory::generic, true},
    };
    for (const Named& named : kAccesses)
        if (i.base() == named.base) ++tally.accesses[{named.memory, named.store, sass_bytes(i)}];
    // A matrix of 8 × 8 halves is a word of each thread.
    if (i.is_one_of({"LDSM", "STSM"}))
        ++tally.accesses[{CodeMemory::shared, i.base() == "STSM",
                          i.has("4")   ? 4 * kBytesPerWord
                          : i.has("2") ? 2 * kBytesPerWord
                                       : kBytesPerWord}];
}

void count_sass(const Instruction& i, CodeTally& tally) {
    count_sass_access(i, tally);
    // A multiplication of nothing by nothing is how a constant is moved on the idle pipe.
    const bool moves = i.operands.find("-RZ, RZ,") != i.operands.npos;
    tally.atomics += i.is_one_of({"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS"});
    tally.async_copies += i.is_one_of({"LDGSTS", "UBLKCP", "UTMALDG"});
    tally.fused += i.is_one_of({"FFMA", "FFMA2", "DFMA", "HFMA2"}) && !moves;
    tally.matrix += i.is_one_of({"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA"});
    tally.special += i.base() == "MUFU";
    tally.barriers += i.base() == "BAR";
    tally.branches += i.is_one_of({"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET"});
}

// "f32" → 4; "b128" → 16; 0 for what is no type.
int type_bytes(std::string_view part) {
    if (part.empty() || std::string_view("bfsu").find(part.front()) == std::string_view::npos) return 0;
    return number(part.substr(1)) / kBitsPerByte;
}

int ptx_bytes(const Instruction& i) {
    const int lanes = i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
    return lanes * type_bytes(i.parts.back());
}

void count_ptx(const Instruction& i, CodeTally& tally) {
    if (i.is_one_of({"ld", "ldu", "st"}) && !i.has("param") && !i.has("const")) {
        const CodeMemory memory = i.has("global")   ? CodeMemory::global
                                  : i.has("shared") ? CodeMemory::shared
                                  : i.has("local")  ? CodeMemory::local
                                                    : CodeMemory::generic;
        ++tally.accesses[{memory, i.base() == "st", ptx_bytes(i)}];
    }
    tally.atomics += i.is_one_of({"atom", "red"});
    tally.async_copies += i.base() == "cp" && i.has("async") && i.has("shared");
    tally.fused += i.base() == "fma";
    tally.matrix += i.is_one_of({"mma", "wgmma", "wmma"}) && !i.has("load") && !i.has("store");
    tally.special += i.has("approx") && i.base() != "div";
    tally.barriers += i.is_one_of({"bar", "barrier"}) && !i.has("warp");
    tally.branches += i.is_one_of({"bra", "brx", "call"});
}

constexpr std::string_view name_of(CodeMemory memory) {
    switch (memory) {
        case CodeMemory::global: return "global";
        case CodeMemory::shared: return "shared";
        case CodeMemory::local: return "local";
        default: return "generic";
    }
}

// "global loads 1 × 16 B, 1 × 2 B": the widest first.
std::string accesses_of(const CodeTally& tally, CodeMemory memory, bool store) {
    std::vector<std::string> widths;
    for (const auto& [access, count] : tally.accesses)
        if (access.memory == memory && access.store == store)
            widths.insert(widths.begin(), fmt::format("{} × {} B", count, access.bytes));
    if (widths.empty()) return {};
    return fmt::format("{} {} {}", name_of(memory), store ? "stores" : "loads", fmt::join(widths, ", "));
}

}  // namespace

CodeTally tally(const KernelCode& kernel, CodeForm form) {
    CodeTally tally;
    for (const std::string& line : kernel.lines) {
        const auto instruction = instruction_of(line, form);
        if (!instruction) continue;
        ++tally.instructions;
        (form == CodeForm::sass ? count_sass : count_ptx)(*instruction, tally);
    }
    return tally;
}

std::string summary(const CodeTally& tally) {
    std::vector<std::string> parts;
    for (const CodeMemory memory : {CodeMemory::global, CodeMemory::shared, CodeMemory::local, CodeMemory::generic})
        for (const bool store : {false, true})
            if (std::string text = accesses_of(tally, memory, store); !text.empty()) parts.push_back(std::move(text));
    const auto add = [&parts](int count, std::string_view one, std::string_view several) {
        if (count > 0) parts.push_back(fmt::format("{} {}", count, count == 1 ? one : several));
    };
    add(tally.async_copies, "asynchronous copy", "asynchronous copies");
    add(tally.atomics, "atomic", "atomics");
    add(tally.fused, "fused multiply-add", "fused multiply-adds");
    add(tally.matrix, "matrix multiplication", "matrix multiplications");
    add(tally.special, "special function", "special functions");
    add(tally.barriers, "barrier", "barriers");
    add(tally.branches, "branch", "branches");
    return fmt::format("{} instruction{}{}{}", tally.instructions, tally.instructions == 1 ? "" : "s",
                       parts.empty() ? "" : ": ", fmt::join(parts, "; "));
}

}  // namespace lanework
