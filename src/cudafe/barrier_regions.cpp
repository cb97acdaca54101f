// The regions of a kernel that is laid out are written with what its threads bring along from one to the next.
#include "src/cudafe/barrier_regions.hpp"

#include <algorithm>

#include "src/cudafe/inlined_functions.hpp"
#include "src/cudafe/kernel_layout.hpp"
#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

using Role = KernelVariable::Role;

class RegionWriter {
public:
    RegionWriter(const KernelSource& source, const KernelLayout& layout)
        : tokens_(source.file.code.tokens),
          brackets_(source.brackets),
          names_(source.names),
          body_(source.body),
          layout_(layout) {
        find_owners();
    }

    /// The kernel in loops over the threads of a block.
    std::string written() {
        for (std::size_t i = 0; i < layout_.last_wait(); ++i)
            if (returns(layout_.pieces()[i])) leaves_early_ = true;
        std::string text = " LANEWORK_REGIONS_BEGIN; ";
        for (const KernelVariable* each : kept_)
            if (!each->declared)
                text += "::lanework_simt::Kept<" + layout_.type_of(*each) + "> " + keeper(*each) + "(lanework_block, " +
                        std::string(each->name) + "); ";
        if (leaves_early_)
            text += "::lanework_simt::Kept<bool> lanework_left(lanework_block, false); bool lanework_gone = false; ";
        for (const Piece& each : layout_.pieces())
            text += each.is_region() ? written(each) : each.once + (each.meets ? who_comes(each) : "") + ' ';
        return text + "LANEWORK_REGIONS_END; ";
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    // -- what threads keep ---------------------------------------------------------------------------------------

    bool mentioned(const KernelVariable& variable, const Piece& piece) const {
        return std::ranges::any_of(piece.region, [&](const Part& part) {
            return std::ranges::any_of(variable.mentions, [&](std::size_t at) { return part.range.contains(at); });
        });
    }
    bool changed(const KernelVariable& variable, const Piece& piece) const {
        return std::ranges::any_of(piece.region, [&](const Part& part) {
            return std::ranges::any_of(variable.changes, [&](std::size_t at) { return part.range.contains(at); });
        });
    }
    bool declares(const Piece& piece, const KernelVariable& variable) const {
        return std::ranges::any_of(
            piece.region, [&](const Part& part) { return part.variable && part.variable == variable.declared; });
    }
    /// Finds the variables that each thread brings along from one region to another.
    void find_owners() {
        for (const KernelVariable& each : layout_.values().variables()) {
            if (each.role != Role::own || each.shared) continue;
            const bool kept = std::ranges::any_of(layout_.pieces(), [&](const Piece& piece) {
                return piece.is_region() && mentioned(each, piece) && (!each.declared || !declares(piece, each));
            });
            if (!kept || (!each.declared && each.reference)) continue;
            if (each.declared) require_kept(each);
            kept_.push_back(&each);
        }
        require_no_pointer_to_what_ends();
    }
    /// What is not kept ends with its region, and what is kept, arrays apart, is a copy in each: nothing that is kept
    /// may point there. All that it is given is looked at, and what that was given: of other variables these may be
    /// numbers alone, and addresses of which the same is true.
    void require_no_pointer_to_what_ends() const {
        std::vector<const KernelVariable*> holders;
        for (const KernelVariable* each : kept_)
            if (may_hold_address(*each)) holders.push_back(each);
        for (std::size_t at = 0; at < holders.size(); ++at) {
            const KernelVariable& holder = *holders[at];
            const auto look_at = [&](TokenRange value) {
                for (const KernelVariable& each : layout_.values().variables()) {
                    if (each.role != Role::own || each.shared || !each.declared || &each == &holder) continue;
                    for (const std::size_t i : each.mentions) {
                        if (!value.contains(i)) continue;
                        const bool lasts = each.array && std::ranges::find(kept_, &each) != kept_.end();
                        const std::size_t before = i - (is(i - 1, "&") ? 2 : 1);
                        const bool argument = is(before, "(") || is(before, ",");
                        // Few objects keep what they are made from; a pointer may come back from any function.
                        if (!lasts && !is_value(each, i) && !(argument && is_object(holder))) throw Uncut();
                        // A member may be an array.
                        if (!lasts && is_class(each) && is(i + 1, ".") && !is_object(holder)) throw Uncut();
                        if (may_hold_address(each) && std::ranges::find(holders, &each) == holders.end())
                            holders.push_back(&each);
                    }
                }
            };
            if (holder.declared) look_at(holder.declared->initializer);
            for (const std::size_t i : holder.changes) look_at({i, end_of_expression(i)});
        }
    }
    bool may_hold_address(const KernelVariable& variable) const { return variable.pointer || is_class(variable); }
    /// Of a type with a name of its own, and no pointer to one; or a parameter, whose type is not looked at.
    bool is_object(const KernelVariable& variable) const {
        if (variable.pointer || !variable.declared) return !variable.pointer;
        const TokenRange type = variable.statement->type;
        for (std::size_t i = type.begin; i < type.end; ++i)
            if (is(i, "auto")) return false;
        return is_class(variable);
    }
    /// Whether a mention is of the variable's value, or an element's, and not of where it is.
    bool is_value(const KernelVariable& variable, std::size_t i) const {
        std::size_t first = i;
        while (!layout_.values().takes_address(first) && is(first - 1, "(")) --first;
        const bool decays = variable.array && subscripts_behind(i) < subscripts_of(variable);
        return (is_element_of_pointer(variable, i) || !layout_.values().takes_address(first)) && !decays;
    }
    /// The first token behind an expression that is no part of it.
    std::size_t end_of_expression(std::size_t i) const {
        for (; i < tokens_.size(); ++i) {
            if (is(i, ";") || is(i, ")") || is(i, "]") || is(i, "}")) break;
            const bool opens = is(i, "(") || is(i, "[") || is(i, "{");
            if (opens && brackets_.match(i) != kNone) i = brackets_.match(i);
        }
        return i;
    }
    void require_kept(const KernelVariable& variable) const {
        if (variable.reference) throw Uncut();
        const TokenRange type = variable.statement->type;
        for (std::size_t i = type.begin; i < type.end; ++i) {
            const bool unknown = is(i, "static") || is(i, "struct") || is(i, "class") || is(i, "enum") ||
                                 is(i, "alignas") || is(i, "__align__") || is(i, "__attribute__");
            if (unknown || names_.is_destroyed(tokens_[i].text)) throw Uncut();
        }
        require_no_address(variable);
        require_no_constant(variable);
    }
    /// A copy of a constant is none: nothing that is asked of a constant may be asked of the variable.
    void require_no_constant(const KernelVariable& variable) const {
        for (const std::size_t i : variable.mentions)
            if (is(i - 1, "case") || (is(i - 1, "<") && is(i + 1, ">")) || in_declarator(body_, i)) throw Uncut();
    }
    /// Whether a token stands in the subscripts or the type of a declaration.
    static bool in_declarator(const std::vector<Statement>& list, std::size_t token) {
        return std::ranges::any_of(list, [&](const Statement& each) {
            return each.type.contains(token) || in_declarator(each.inner, token) ||
                   std::ranges::any_of(each.variables, [&](const DeclaredVariable& variable) {
                       return variable.subscripts.contains(token);
                   });
        });
    }
    unsigned subscripts_behind(std::size_t name) const {
        unsigned count = 0;
        for (std::size_t i = name + 1; is(i, "[") && brackets_.match(i) != kNone; i = brackets_.match(i) + 1) ++count;
        return count;
    }
    /// `p[n]`, whose address is not the pointer's own.
    bool is_element_of_pointer(const KernelVariable& variable, std::size_t i) const {
        return variable.pointer && !variable.array && is(i + 1, "[");
    }
    unsigned subscripts_of(const KernelVariable& array) const { return subscripts_behind(array.declared->name); }
    /// Each region has a copy of the variable: nobody may keep the address of one. An argument is not kept.
    void require_no_address(const KernelVariable& variable) const {
        for (const std::size_t i : variable.mentions) {
            std::size_t first = i;
            const bool address = !is_element_of_pointer(variable, i) && layout_.values().takes_address(i);
            if (address) --first;
            const bool decays = variable.array && subscripts_behind(i) < subscripts_of(variable);
            if ((address || decays) && !is(first - 1, "(") && !is(first - 1, ",")) throw Uncut();
            // `float& x = name`
            if (is(i - 1, "=") && is(i - 3, "&")) throw Uncut();
        }
    }

    // -- the text ------------------------------------------------------------------------------------------------

    /// A class's operators may change the object that they are given.
    bool is_class(const KernelVariable& variable) const {
        if (!variable.declared) return true;  // a parameter's type is not looked at
        const TokenRange type = variable.statement->type;
        for (std::size_t i = type.begin; i < type.end; ++i)
            if (tokens_[i].identifier() && !is(i, "const") && !is_known_type(tokens_[i].text)) return true;
        return false;
    }
    static std::string keeper(const KernelVariable& variable) {
        const std::size_t at = variable.declared ? variable.declared->name : 0;
        return "lanework_" + std::string(variable.name) + '_' + std::to_string(at);
    }
    /// The threads that left the kernel, and those that come to an operation of the warp.
    std::string who_comes(const Piece& piece) const {
        const std::string left = leaves_early_ ? "lanework_gone ? &lanework_left[0] : nullptr" : "nullptr";
        if (piece.some == 0) return left + ", nullptr, false);";
        // Who leaves some statement out, and what follows, has as good as left.
        const bool others_leave = layout_.others_leave(piece);
        return left + ", &lanework_some_" + std::to_string(piece.some) + ", " + (others_leave ? "true" : "false") +
               ");";
    }
    bool returns(const Piece& piece) const {
        return std::ranges::any_of(
            piece.region, [&](const Part& part) { return part.statement && layout_.names_return(part.range); });
    }
    std::string written(const Piece& piece) {
        const std::string number = std::to_string(++regions_);
        std::string before, inside, behind;
        for (const KernelVariable* each : kept_) {
            const std::string name(each->name), keep = keeper(*each);
            const bool born = each->declared && declares(piece, *each);
            if (born) before += "::lanework_simt::Kept<" + layout_.type_of(*each) + "> " + keep + "(lanework_block); ";
            if (!born && !mentioned(*each, piece)) continue;
            if (!born && each->array) {
                inside += "auto& " + name + " = " + keep + "[lanework_thread]; ";
                continue;
            }
            if (!born) inside += "auto " + name + " = " + keep + "[lanework_thread]; ";
            if (born || is_class(*each) || changed(*each, piece))
                behind += keep + ".keep(lanework_thread, " + name + "); ";
        }
        inside = recomputed(piece) + inside;
        const bool leaves = returns(piece);
        for (const Part& part : piece.region) inside += written(part, number) + ' ';
        const std::string some = "lanework_some_" + std::to_string(piece.some);
        return before + (piece.some != 0 ? "LANEWORK_SOME_THREADS_BEGIN(" + some + ") " : "LANEWORK_THREADS_BEGIN ") +
               (leaves_early_ ? "if (lanework_gone && lanework_left[lanework_thread]) continue; " : "") +
               "LANEWORK_THREAD_BEGIN { " + inside + behind + "} " + (leaves ? "lanework_next_" + number + ": " : "") +
               "LANEWORK_THREAD_END; ";
    }
    std::string written(const Part& part, const std::string& number) const {
        if (part.variable) return layout_.spelled(*part.statement, *part.variable);
        return part.text + (part.statement ? executed(part.range, number) : "");
    }
    /// The declarations of what a region's threads compute anew.
    std::string recomputed(const Piece& piece) const {
        std::vector<const KernelVariable*> needed;
        const auto& variables = layout_.values().variables();
        for (auto each = variables.rbegin(); each != variables.rend(); ++each) {
            if (each->role != Role::recomputed) continue;
            const bool by_others = std::ranges::any_of(needed, [&](const KernelVariable* other) {
                return std::ranges::any_of(each->mentions,
                                           [&](std::size_t at) { return other->declared->initializer.contains(at); });
            });
            if (by_others || mentioned(*each, piece)) needed.push_back(&*each);
        }
        std::string text;
        for (auto each = needed.rbegin(); each != needed.rend(); ++each)
            text += "[[maybe_unused]] " + layout_.spelled(*(*each)->statement, *(*each)->declared) + ' ';
        return text;
    }
    /// The text of a thread's own statements, where `return` ends its part of the region.
    std::string executed(TokenRange range, const std::string& number) const {
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (const auto* const taken = layout_.taken_out(i)) {
                text += taken->value + ' ';
                i = taken->end - 1;
            } else if (is(i, "return") && is(i + 1, ";")) {
                text += std::string("{ ") +
                        (leaves_early_ ? "lanework_left.keep(lanework_thread, lanework_gone = true); " : "") +
                        "goto lanework_next_" + number + "; } ";
                ++i;
            } else {
                text += tokens_[i].text;
                if (!brackets_.adjacent(i)) text += ' ';
            }
        }
        return text;
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const ProgramNames& names_;
    const std::vector<Statement>& body_;
    const KernelLayout& layout_;
    std::vector<const KernelVariable*> kept_;
    std::size_t regions_ = 0;
    /// A thread may leave the kernel ahead of a barrier.
    bool leaves_early_ = false;
};

/// The text of the kernel whose `__global__` is token `word`, where it is defined there.
std::optional<KernelText> kernel_at(const Stream& stream, const Brackets& brackets, std::size_t word) {
    const auto& tokens = stream.tokens;
    for (std::size_t i = word + 1; i + 1 < tokens.size() && !tokens[i].is(";") && !tokens[i].is("{"); ++i) {
        if (!tokens[i].identifier() || !tokens[i + 1].is("(")) continue;
        const std::size_t close = brackets.match(i + 1);
        if (close == kNone) return {};
        if (tokens[i].text.starts_with("__") || tokens[i].is("alignas")) {
            i = close;
            continue;
        }
        if (close + 1 >= tokens.size() || !tokens[close + 1].is("{") || brackets.match(close + 1) == kNone) return {};
        KernelText kernel{.name = tokens[i].text,
                          .template_parameters = {},
                          .parameters = {i + 2, close},
                          .body = {close + 2, brackets.match(close + 1)}};
        std::size_t before = word;
        while (before > 0 && (tokens[before - 1].identifier() || tokens[before - 1].kind == TokenKind::string))
            --before;
        if (before > 0 && tokens[before - 1].is(">") && brackets.opening_angle(before - 1) != kNone)
            kernel.template_parameters = {brackets.opening_angle(before - 1), before};
        return kernel;
    }
    return {};
}

std::string cut(const TokenizedFile& file, const Brackets& brackets, const ProgramNames& names, const Waiting& waiting,
                const KernelText& kernel) {
    const auto statements = read_statements(file.code, brackets, kernel.body);
    if (!statements) return {};
    const KernelSource source{file, brackets, names, waiting, kernel, *statements};
    try {
        const KernelLayout layout(source);
        return RegionWriter(source, layout).written();
    } catch (const Uncut&) {
        return {};
    }
}

/// A kernel by itself, on the lines where it stands, with the text of functions that wait in it.
std::string alone(const TokenizedFile& file, std::size_t word, const KernelText& kernel,
                  const DeviceFunctions& functions, const Waiting& waiting) {
    const auto& tokens = file.code.tokens;
    const std::size_t begin = tokens[declaration_start(file.code, word)].offset,
                      body = tokens[kernel.body.begin - 1].end(), end = tokens[kernel.body.end].offset;
    const std::string head(file.text.substr(begin, body - begin));
    const auto lines = static_cast<std::size_t>(std::ranges::count(file.text.substr(0, begin), '\n'));
    return std::string(lines, '\n') + head +
           with_inlined_functions(head, std::string(file.text.substr(body, end - body)), functions, waiting) + "}";
}

}  // namespace

std::vector<CutKernel> cut_at_barriers(const TokenizedFile& file, const Brackets& brackets, const Waiting& waiting,
                                       const ProgramNames& names, const DeviceFunctions& functions) {
    std::vector<CutKernel> kernels;
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("__global__")) continue;
        const auto kernel = kernel_at(file.code, brackets, i);
        if (!kernel || waiting.order_of(kernel->name) != ThreadOrder::regions) continue;
        CutKernel cut_kernel{
            .name = std::string(kernel->name), .offset = tokens[kernel->body.begin - 1].end(), .text = {}};
        bool calls = false;
        for (std::size_t k = kernel->body.begin; k < kernel->body.end; ++k)
            calls = calls || (tokens[k].identifier() && waiting.waits(tokens[k].text));
        if (has_directives(file, kernel->body)) {
            // What the compiler sees is not known.
        } else if (!calls) {
            cut_kernel.text = cut(file, brackets, names, waiting, *kernel);
        } else {
            const std::string text = alone(file, i, *kernel, functions, waiting);
            const TokenizedFile own = tokenize(text);
            const Brackets own_brackets(own.code, {});
            const auto word = static_cast<std::size_t>(
                std::ranges::find_if(own.code.tokens, [](const Token& each) { return each.is("__global__"); }) -
                own.code.tokens.begin());
            if (const auto found = kernel_at(own.code, own_brackets, word))
                cut_kernel.text = cut(own, own_brackets, names, waiting, *found);
        }
        kernels.push_back(std::move(cut_kernel));
    }
    return kernels;
}

}  // namespace lanework::cudafe
