// A kernel is laid out as a row of pieces, the regions between its barriers and what is executed once for all threads
// around them; then each region is written with what its threads bring along from one to the next.
#include "src/cudafe/barrier_regions.hpp"

#include <algorithm>
#include <array>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

using Role = KernelVariable::Role;

/// A part of a declaration: a variable of it, or null for the whole statement.
struct Part {
    const Statement* statement;
    const DeclaredVariable* variable;
};

/// What is executed by each thread, between two barriers; or text that is executed once.
struct Piece {
    std::vector<Part> region;
    std::string once;
    bool is_region() const { return !region.empty(); }
};

/// The kernel cannot be cut.
struct Uncut {};

class KernelCutter {
public:
    KernelCutter(const TokenizedFile& file, const Brackets& brackets, const ProgramNames& names,
                 const KernelText& kernel, const std::vector<Statement>& body)
        : tokens_(file.code.tokens),
          brackets_(brackets),
          names_(names),
          kernel_(kernel),
          body_(body),
          values_(file.code, brackets, names, kernel, body) {}

    std::string run() {
        if (values_.unclear()) throw Uncut();
        lay_out(body_, true);
        flush();
        require_all_barriers();
        find_owners();
        return written();
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    // -- the pieces ----------------------------------------------------------------------------------------------

    void lay_out(const std::vector<Statement>& list, bool outermost) {
        for (const Statement& each : list) {
            lay_out(each);
            if (outermost && each.waits) last_wait_ = pieces_.size();
        }
    }

    void lay_out(const Statement& statement) {
        if (statement.kind == Statement::Kind::barrier) {
            ++barriers_;
            flush();
        } else if (statement.waits) {
            lay_out_around_barrier(statement);
        } else if (statement.kind == Statement::Kind::declaration) {
            lay_out_declaration(statement);
        } else if (statement.kind == Statement::Kind::alias) {
            once(spelled(statement.all));
        } else if (statement.kind == Statement::Kind::expression && changes_uniform(statement)) {
            flush();
            once(spelled(statement.all));
        } else if (leaves_loop(statement)) {
            flush();
            once(spelled(statement.all));
        } else if (statement.kind != Statement::Kind::empty) {
            require_no_jump(statement, false);
            open_.push_back({&statement, nullptr});
        }
    }

    void flush() {
        if (!open_.empty()) pieces_.push_back({std::move(open_), {}});
        open_.clear();
    }
    /// Text that is executed once, ahead of the region that is being gathered.
    void once(std::string text) { pieces_.push_back({{}, std::move(text)}); }

    bool changes_uniform(const Statement& statement) const {
        return values_.changes_uniform({statement.all.begin, statement.all.end - 1});
    }

    void lay_out_around_barrier(const Statement& statement) {
        using Kind = Statement::Kind;
        flush();
        const bool loop = statement.kind == Kind::for_loop;
        const bool headed = loop || statement.kind == Kind::while_loop || statement.kind == Kind::branch;
        if (!headed && statement.kind != Kind::compound && statement.kind != Kind::do_loop) throw Uncut();
        if (!statement.condition.empty() && !values_.is_uniform(statement.condition)) throw Uncut();
        if (loop) require_uniform_head(statement);
        once(headed                            ? spelled({statement.all.begin, head_end(statement)}) + " {"
             : statement.kind == Kind::do_loop ? "do {"
                                               : "{");
        lay_out_inner(statement.inner[loop ? 1 : 0], statement.kind == Kind::compound ? &statement : nullptr);
        if (statement.kind == Kind::branch && statement.inner.size() > 1) {
            once("} else {");
            lay_out_inner(statement.inner[1], nullptr);
        }
        once(statement.kind == Kind::do_loop ? "} while (" + spelled(statement.condition) + ");" : "}");
    }

    /// Behind the parenthesis of a statement's head.
    static std::size_t head_end(const Statement& statement) {
        return std::max(statement.condition.end, statement.step.end) + 1;
    }

    void lay_out_inner(const Statement& inner, const Statement* compound) {
        if (compound)
            lay_out(compound->inner, false);
        else if (inner.kind == Statement::Kind::compound)
            lay_out(inner.inner, false);
        else
            lay_out(inner);
        flush();
    }

    void require_uniform_head(const Statement& loop) const {
        const Statement& init = loop.inner[0];
        for (const DeclaredVariable& each : init.variables) require_uniform(each);
        if (init.kind == Statement::Kind::expression && !changes_uniform(init)) throw Uncut();
        if (!loop.step.empty() && !values_.changes_uniform(loop.step)) throw Uncut();
    }
    void require_uniform(const DeclaredVariable& variable) const {
        const KernelVariable* const known = values_.declared_at(variable.name);
        if (!known || known->role != Role::uniform) throw Uncut();
    }

    void lay_out_declaration(const Statement& statement) {
        for (std::size_t i = statement.type.begin; i < statement.type.end; ++i)
            if (is(i, "__shared__")) return once(spelled(statement.all));
        for (const DeclaredVariable& each : statement.variables) {
            const KernelVariable* const known = values_.declared_at(each.name);
            if (!known) throw Uncut();
            if (known->role == Role::uniform) once(spelled(statement, each));
            if (known->role == Role::own) open_.push_back({&statement, &each});
        }
    }

    /// if (uniform) break; or continue; of a loop around a barrier: all threads do.
    bool leaves_loop(const Statement& statement) const {
        if (statement.kind != Statement::Kind::branch || statement.inner.size() != 1) return false;
        const Statement* inner = &statement.inner[0];
        if (inner->kind == Statement::Kind::compound && inner->inner.size() == 1) inner = &inner->inner[0];
        const bool leaves = inner->kind == Statement::Kind::jump && !is(inner->all.begin, "return");
        return leaves && values_.is_uniform(statement.condition);
    }

    /// No thread leaves a loop around a barrier by itself.
    void require_no_jump(const Statement& statement, bool in_loop) const {
        using Kind = Statement::Kind;
        if (statement.kind == Kind::jump && !in_loop && !is(statement.all.begin, "return")) throw Uncut();
        const bool loop = statement.kind == Kind::for_loop || statement.kind == Kind::while_loop ||
                          statement.kind == Kind::do_loop || statement.kind == Kind::other;
        if (statement.kind == Kind::other && is(statement.all.begin, "switch")) {
            // `continue` in a switch is of a loop around it.
            for (std::size_t i = statement.all.begin; i < statement.all.end && !in_loop; ++i)
                if (is(i, "continue")) throw Uncut();
        }
        for (const Statement& each : statement.inner) require_no_jump(each, in_loop || loop);
    }

    /// Each barrier that the text names is one of those between regions.
    void require_all_barriers() const {
        std::size_t named = 0;
        for (std::size_t i = kernel_.body.begin; i < kernel_.body.end; ++i) {
            named += is(i, "__syncthreads");
            // Lambdas.
            const bool operand = tokens_[i - 1].identifier() || is(i - 1, "]") || is(i - 1, ")");
            if (is(i, "[") && !operand) throw Uncut();
            if (is(i, "__LINE__") || is(i, "__COUNTER__") || is(i, "decltype")) throw Uncut();
        }
        if (named != barriers_) throw Uncut();
    }

    // -- what threads keep ---------------------------------------------------------------------------------------

    static TokenRange range_of(const Part& part) {
        if (!part.variable) return part.statement->all;
        return {part.variable->name,
                std::max({part.variable->name + 1, part.variable->subscripts.end, part.variable->initializer.end})};
    }
    bool mentioned(const KernelVariable& variable, const Piece& piece) const {
        return std::ranges::any_of(piece.region, [&](const Part& part) {
            const TokenRange range = range_of(part);
            return std::ranges::any_of(variable.mentions, [&](std::size_t at) { return range.contains(at); });
        });
    }
    bool changed(const KernelVariable& variable, const Piece& piece) const {
        return std::ranges::any_of(piece.region, [&](const Part& part) {
            const TokenRange range = range_of(part);
            return std::ranges::any_of(variable.changes, [&](std::size_t at) { return range.contains(at); });
        });
    }
    bool declares(const Piece& piece, const KernelVariable& variable) const {
        return std::ranges::any_of(
            piece.region, [&](const Part& part) { return part.variable && part.variable == variable.declared; });
    }

    /// Finds the variables that each thread brings along from one region to another.
    void find_owners() {
        for (const KernelVariable& each : values_.variables()) {
            if (each.role != Role::own || each.shared) continue;
            const bool kept = std::ranges::any_of(pieces_, [&](const Piece& piece) {
                return piece.is_region() && mentioned(each, piece) && (!each.declared || !declares(piece, each));
            });
            if (!kept || (!each.declared && each.reference)) continue;
            if (each.declared) require_kept(each);
            kept_.push_back(&each);
        }
    }

    void require_kept(const KernelVariable& variable) const {
        if (variable.reference) throw Uncut();
        const TokenRange type = variable.statement->type;
        for (std::size_t i = type.begin; i < type.end; ++i) {
            const bool unknown = is(i, "auto") || is(i, "static") || is(i, "struct") || is(i, "class") ||
                                 is(i, "enum") || is(i, "alignas") || is(i, "__align__") || is(i, "__attribute__");
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

    /// Each region has a copy of the variable: nobody may keep the address of one. An argument is not kept.
    void require_no_address(const KernelVariable& variable) const {
        for (const std::size_t i : variable.mentions) {
            std::size_t first = i;
            const bool address = values_.takes_address(i);
            if (address) --first;
            const bool decays = variable.array && !is(i + 1, "[");
            if ((address || decays) && !is(first - 1, "(") && !is(first - 1, ",")) throw Uncut();
            // `float& x = name`
            if (is(i - 1, "=") && is(i - 3, "&")) throw Uncut();
        }
    }

    // -- the text ------------------------------------------------------------------------------------------------

    std::string spelled(TokenRange range) const {
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            text += tokens_[i].text;
            if (i + 1 < range.end && !brackets_.adjacent(i)) text += ' ';
        }
        return text;
    }
    std::string spelled(const Statement& statement, const DeclaredVariable& variable) const {
        return spelled(statement.type) + ' ' + spelled(variable.pointers) + ' ' +
               std::string(tokens_[variable.name].text) + spelled(variable.subscripts) + ' ' +
               spelled(variable.initializer) + ';';
    }

    /// The type of a variable that is kept, without what says that it does not change.
    std::string type_of(const KernelVariable& variable) const {
        if (!variable.declared) return "::std::decay_t<decltype(" + std::string(variable.name) + ")>";
        const auto without = [&](TokenRange range, bool constant) {
            std::string text;
            for (std::size_t i = range.begin; i < range.end; ++i) {
                const bool left_out = is(i, "__restrict__") || is(i, "__restrict") || is(i, "restrict") ||
                                      is(i, "register") || (is(i, "const") && !constant);
                if (!left_out) text += std::string(tokens_[i].text) + ' ';
            }
            return text;
        };
        const TokenRange pointers = variable.declared->pointers;
        std::size_t last = pointers.begin;
        for (std::size_t i = pointers.begin; i < pointers.end; ++i)
            if (is(i, "*")) last = i + 1;
        const TokenRange fixed{pointers.begin, last};
        return without(variable.statement->type, !fixed.empty()) + without(fixed, true) +
               spelled(variable.declared->subscripts);
    }

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

    std::string written() {
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            if (pieces_[i].is_region() && i < last_wait_ && returns(pieces_[i])) leaves_early_ = true;
        std::string text = " LANEWORK_REGIONS_BEGIN; ";
        for (const KernelVariable* each : kept_)
            if (!each->declared)
                text += "::lanework_simt::Kept<" + type_of(*each) + "> " + keeper(*each) + "(lanework_block, " +
                        std::string(each->name) + "); ";
        if (leaves_early_) text += "::lanework_simt::Kept<bool> lanework_left(lanework_block, false); ";
        for (const Piece& each : pieces_) text += each.is_region() ? written(each) : each.once + ' ';
        return text + "LANEWORK_REGIONS_END; ";
    }

    bool returns(const Piece& piece) const {
        return std::ranges::any_of(piece.region, [&](const Part& part) {
            const TokenRange range = range_of(part);
            for (std::size_t i = range.begin; i < range.end; ++i)
                if (is(i, "return")) return true;
            return false;
        });
    }

    std::string written(const Piece& piece) {
        const std::string number = std::to_string(++regions_);
        std::string before, inside, behind;
        for (const KernelVariable* each : kept_) {
            const std::string name(each->name), keep = keeper(*each);
            const bool born = each->declared && declares(piece, *each);
            if (born) before += "::lanework_simt::Kept<" + type_of(*each) + "> " + keep + "(lanework_block); ";
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
        for (const Part& part : piece.region)
            inside +=
                (part.variable ? spelled(*part.statement, *part.variable) : executed(part.statement->all, number)) +
                ' ';
        return before + "LANEWORK_THREADS_BEGIN " +
               (leaves_early_ ? "if (lanework_left[lanework_thread]) continue; " : "") + "LANEWORK_THREAD_BEGIN { " +
               inside + behind + "} " + (leaves ? "lanework_next_" + number + ": " : "") + "LANEWORK_THREAD_END; ";
    }

    /// The declarations of what a region's threads compute anew.
    std::string recomputed(const Piece& piece) const {
        std::vector<const KernelVariable*> needed;
        const auto& variables = values_.variables();
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
            text += "[[maybe_unused]] " + spelled(*(*each)->statement, *(*each)->declared) + ' ';
        return text;
    }

    /// The text of a thread's own statements, where `return` ends its part of the region.
    std::string executed(TokenRange range, const std::string& number) const {
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (is(i, "return") && is(i + 1, ";")) {
                text += std::string("{ ") + (leaves_early_ ? "lanework_left.keep(lanework_thread, true); " : "") +
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
    const KernelText& kernel_;
    const std::vector<Statement>& body_;
    const Uniformity values_;
    std::vector<Piece> pieces_;
    std::vector<Part> open_;
    std::vector<const KernelVariable*> kept_;
    /// The pieces up to the last statement with a barrier.
    std::size_t last_wait_ = 0, barriers_ = 0, regions_ = 0;
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

/// Whether directives stand in a kernel's body: its text is not what the compiler sees, or of another place.
bool has_directives(const TokenizedFile& file, TokenRange body) {
    const auto& tokens = file.code.tokens;
    const std::size_t begin = tokens[body.begin - 1].offset, end = tokens[body.end].offset;
    const auto inside = [&](std::size_t offset) { return offset > begin && offset < end; };
    return std::ranges::any_of(file.macros, inside, &Macro::offset) ||
           std::ranges::any_of(file.includes, inside, &Include::offset) ||
           std::ranges::any_of(file.conditionals, [&](const Conditional& each) {
               return each.token >= body.begin && each.token <= body.end;
           });
}

std::string cut(const TokenizedFile& file, const Brackets& brackets, const ProgramNames& names,
                const KernelText& kernel) {
    if (has_directives(file, kernel.body)) return {};
    const auto statements = read_statements(file.code, brackets, kernel.body);
    if (!statements) return {};
    try {
        return KernelCutter(file, brackets, names, kernel, *statements).run();
    } catch (const Uncut&) {
        return {};
    }
}

}  // namespace

std::vector<CutKernel> cut_at_barriers(const TokenizedFile& file, const Brackets& brackets, const Waiting& waiting,
                                       const ProgramNames& names) {
    std::vector<CutKernel> kernels;
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i) {
        if (!file.code.tokens[i].is("__global__")) continue;
        const auto kernel = kernel_at(file.code, brackets, i);
        if (!kernel || waiting.order_of(kernel->name) != ThreadOrder::regions) continue;
        kernels.push_back({.name = std::string(kernel->name),
                           .offset = file.code.tokens[kernel->body.begin - 1].end(),
                           .text = cut(file, brackets, names, *kernel)});
    }
    return kernels;
}

}  // namespace lanework::cudafe
