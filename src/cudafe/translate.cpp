// Puts the rewriters together: over the code of a file, then over the body of each macro.
#include "src/cudafe/translate.hpp"

#include <algorithm>
#include <set>

#include "src/cudafe/builtins.hpp"
#include "src/cudafe/inline_assembly.hpp"
#include "src/cudafe/launches.hpp"
#include "src/cudafe/reductions.hpp"
#include "src/cudafe/shared.hpp"
#include "src/cudafe/shifts.hpp"
#include "src/cudafe/spelled_macros.hpp"

namespace lanework::cudafe {
namespace {

/// libstdc++ writes __attribute__((__noinline__)), so that the word cannot be a macro where CUDA's own use of it is.
void rewrite_noinline(const Stream& stream, Edits& edits) {
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        const Token& token = stream.tokens[i];
        if (!token.is("__noinline__")) continue;
        const Token* before = i > 0 ? &stream.tokens[i - 1] : nullptr;
        const bool in_attribute = before && (before->is("(") || before->is(",") || before->is("::"));
        if (!in_attribute) edits.replace(token.offset, token.length, "__attribute__((noinline))");
    }
}

/// Whether the variable that a __constant__ declares is const itself, not only what it points to.
bool is_const(const Stream& stream, std::size_t word) {
    const auto& tokens = stream.tokens;
    const auto ends = [&](std::size_t i) {
        for (const char* each : {";", "{", "}", "=", "[", ")"})
            if (tokens[i].is(each)) return true;
        return false;
    };
    std::size_t begin = word;
    while (begin > 0 && !ends(begin - 1)) --begin;
    bool result = false;
    for (std::size_t i = begin; i < tokens.size() && !ends(i); ++i) {
        if (tokens[i].is("const") || tokens[i].is("constexpr")) result = true;
        if (tokens[i].is("*") && !tokens[begin].is("constexpr")) result = false;
    }
    return result;
}

/// What the words say of a declaration, or of what a brace opens.
struct Head {
    bool is_static = false, is_inline = false, is_constexpr = false, is_template = false, is_class = false;
};

Head read_head(const Stream& stream, std::size_t begin, std::size_t end) {
    const auto& tokens = stream.tokens;
    const auto is = [&](std::size_t i, std::string_view spelling) { return i < end && tokens[i].is(spelling); };
    Head head;
    for (std::size_t i = begin; i < end; ++i) {
        if (is(i, "static")) head.is_static = true;
        if (is(i, "inline") || is(i, "__inline__") || is(i, "__forceinline__")) head.is_inline = true;
        if (is(i, "constexpr")) head.is_constexpr = true;
        if (is(i, "template") && !(is(i + 1, "<") && is(i + 2, ">"))) head.is_template = true;
        const bool parameter = i > begin && (is(i - 1, "<") || is(i - 1, ","));
        if (!parameter && (is(i, "struct") || is(i, "class") || is(i, "union"))) head.is_class = true;
    }
    return head;
}

/// The variable whose declaration a word stands in.
struct Variable {
    /// Several files may define it, and the linker keeps one: inline, of a template, or within what is either.
    bool merged = false;
    bool member = false;
    bool array = false;
};

Variable read_variable(const Stream& stream, const Brackets& brackets, std::size_t word) {
    const auto& tokens = stream.tokens;
    const std::size_t begin = declaration_start(stream, word);
    std::size_t end = word;
    while (end < tokens.size() && !tokens[end].is("=") && !tokens[end].is(";") && !tokens[end].is("{")) ++end;
    const Head own = read_head(stream, begin, end);
    Variable result;
    for (std::size_t i = word + 1; i < tokens.size() && !tokens[i].is("=") && !tokens[i].is(";"); ++i) {
        const bool attribute = (i + 1 < tokens.size() && tokens[i + 1].is("[")) || tokens[i - 1].is("[");
        if (tokens[i].is("[") && !attribute) result.array = true;
    }
    bool internal = own.is_static, local = false;
    result.merged = own.is_inline || own.is_template;
    for (std::size_t inner = word; brackets.brace(inner) != kNone; inner = brackets.brace(inner)) {
        const std::size_t brace = brackets.brace(inner);
        const Head around = read_head(stream, declaration_start(stream, brace), brace);
        if (brackets.in_function(inner)) {
            if (!local) internal = result.merged = false;  // a variable of a function is merged as the function is
            local = true;
            internal = internal || around.is_static;
            result.merged = result.merged || around.is_inline || around.is_constexpr || around.is_template;
        } else if (around.is_class) {
            result.member = !local;
            internal = false;
            result.merged = result.merged || local || own.is_constexpr || around.is_template;
        } else if (brace > 0 && tokens[brace - 1].is("namespace")) {
            internal = true;
        }
    }
    result.merged = result.merged && !internal;
    return result;
}

/// A compiler takes no section for both variables that are const and others, nor for both merged ones and others: of
/// constant ones each of these kinds has a section of its own. What lies in a section stands in the object file,
/// zeros too, and what a macro declares is not known here: of managed variables, arrays, merged ones, members and those
/// in a macro's body stay where others are, and explain does not see them wait for their pages.
void rewrite_sections(const Stream& stream, const Brackets& brackets, const Words& words, bool macro_body,
                      Edits& edits) {
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        const Token& token = stream.tokens[i];
        if (!token.identifier()) continue;
        if (words.managed.contains(token.text)) {
            const Variable variable = read_variable(stream, brackets, i);
            if (macro_body || variable.array || variable.merged || variable.member)
                edits.remove(token.offset, token.length);
            else
                edits.replace(token.offset, token.length, "__attribute__((section(\"lanework_managed\")))");
        } else if (words.constants.contains(token.text)) {
            const std::string kind = std::string(is_const(stream, i) ? "_const" : "") +
                                     (read_variable(stream, brackets, i).merged ? "_inline" : "");
            if (!kind.empty())
                edits.replace(token.offset, token.length,
                              "__attribute__((section(\"lanework_constant" + kind + "\")))");
        }
    }
}

/// Whether a macro is another name for a word.
bool stands_for(const Macro& macro, std::string_view word) {
    return !macro.function_like && macro.body.tokens.size() == 1 && macro.body.tokens[0].is(word);
}

/// `of_file` holds the shared variables outside functions; those of the file's code are added. False where inline PTX
/// was refused.
bool rewrite(const Stream& stream, const std::vector<Conditional>& conditionals, const Macro* macro, const Words& words,
             FileVariables& of_file, Edits& edits) {
    const Brackets brackets(stream, conditionals);
    rewrite_launches(stream, brackets, macro, words.waiting, words.cut_kernels, words.kernels, edits);
    of_file.merge(rewrite_shared(stream, brackets, words.shared, macro != nullptr, edits));
    FileVariables visible = of_file;
    for (const auto& [name, at] : words.shared_of_files) visible.emplace(name, 0);
    rewrite_uses(stream, brackets, visible, macro != nullptr, edits);
    rewrite_noinline(stream, edits);
    rewrite_sections(stream, brackets, words, macro != nullptr, edits);
    rewrite_reductions(stream, brackets, edits);
    const bool knows_assembly = rewrite_assembly(stream, brackets, edits);
    rewrite_builtins(stream, brackets, words.device, macro != nullptr, edits);
    rewrite_kernel_addresses(stream, brackets, words.kernels, edits);
    return knows_assembly;
}

}  // namespace

void define_macro(std::string_view macro, Words& words) {
    words.waiting.define(macro);
    words.of_rounds.define(macro);
}

void collect_macros(const TokenizedFile& file, Words& words) {
    for (const Macro& macro : file.macros) {
        if (stands_for(macro, "__shared__")) words.shared.emplace(macro.name);
        if (stands_for(macro, "__constant__")) words.constants.emplace(macro.name);
        if (stands_for(macro, "__managed__")) words.managed.emplace(macro.name);
    }
    words.device.add_macros(file);
    words.waiting.add_macros(file);
}

void collect_words(const TokenizedFile& file, Words& words) {
    const Brackets brackets(file.code, file.conditionals);
    collect_kernel_names(file.code, brackets, words.kernels);
    words.waiting.add(file, brackets);
    words.of_rounds.add(file, brackets);
    collect_volatile_words(file, brackets, words.volatiles);
}

void collect_rounds(const TokenizedFile& file, Words& words) {
    words.rounds = true;
    words.waiting.add(rounds_of_kernels(file, Brackets(file.code, file.conditionals), words.of_rounds));
}

void collect_volatile(const std::vector<const TokenizedFile*>& files, Lockstep lockstep, Words& words) {
    words.lockstep = lockstep;
    if (lockstep == Lockstep::none) return;
    const auto brackets = [](const TokenizedFile* file) { return Brackets(file->code, file->conditionals); };
    const auto collect_variables = [&] {
        for (const TokenizedFile* file : files) collect_volatile_variables(*file, brackets(file), words.volatiles);
    };
    collect_variables();
    const bool of_templates = std::any_of(files.begin(), files.end(), [&](const TokenizedFile* file) {
        return hands_volatile_to_templates(*file, brackets(file), words.volatiles);
    });
    if (of_templates) {
        for (const TokenizedFile* file : files) collect_volatile_parameters(*file, brackets(file), words.volatiles);
        collect_variables();
    }
    for (bool more = true; more;) {
        more = false;
        for (const TokenizedFile* file : files)
            more = collect_volatile_functions(*file, brackets(file), words.volatiles) || more;
    }
}

void collect_shared(const TokenizedFile& file, Words& words) {
    Edits made_later;
    words.shared_of_files.merge(
        rewrite_shared(file.code, Brackets(file.code, file.conditionals), words.shared, false, made_later));
}

void collect_device_code(const std::vector<const TokenizedFile*>& files, Words& words) {
    words.architecture = std::any_of(files.begin(), files.end(), [](const TokenizedFile* file) {
        return file->text.find("__CUDA_ARCH__") != file->text.npos;
    });
    if (!words.architecture) return;
    for (const TokenizedFile* file : files) words.device.add_uses(*file, Brackets(file->code, file->conditionals));
}

Edits translate(const TokenizedFile& file, const Words& words) {
    Edits edits;
    FileVariables of_file;
    if (words.rounds)
        for (const auto& [kernel, rounds] :
             rounds_of_kernels(file, Brackets(file.code, file.conditionals), words.of_rounds)) {
            const ThreadOrder order = words.waiting.order_of(kernel);
            if (order == ThreadOrder::guarded || order == ThreadOrder::strides) rewrite_rounds(file, *rounds, edits);
        }
    if (words.architecture) rewrite_architecture(file, Brackets(file.code, file.conditionals), words.device, edits);
    rewrite(file.code, file.conditionals, nullptr, words, of_file, edits);
    const Brackets brackets(file.code, file.conditionals);
    const auto translated = [&](const std::string& text) { return translate(tokenize(text), words).apply(text); };
    std::set<std::string_view> spelled;
    for (const Macro& macro : file.macros) {
        if (stands_for(macro, "__shared__"))
            edits.remove(macro.body.tokens[0].offset, macro.body.tokens[0].length);
        else if (!rewrite(macro.body, {}, &macro, words, of_file, edits))
            spell_out(file, brackets, macro, spelled.insert(macro.name).second, translated, edits);
    }
    if (words.lockstep == Lockstep::called)
        rewrite_volatile_accesses(file, brackets, words.volatiles, words.device, edits);
    if (words.shifts) rewrite_shifts(file, brackets, words.device, edits);
    if (words.lockstep != Lockstep::none) rewrite_rejoins(file, brackets, words.volatiles, words.device, edits);
    return edits;
}

}  // namespace lanework::cudafe
