// A kernel is laid out as a row of pieces, the regions between its barriers and what is executed once for all threads
// around them; then each region is written with what its threads bring along from one to the next.
#include "src/cudafe/barrier_regions.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "src/cudafe/inlined_functions.hpp"
#include "src/cudafe/known_words.hpp"
#include "src/cudafe/warp_calls.hpp"

namespace lanework::cudafe {
namespace {

using Role = KernelVariable::Role;

/// A part of what a region's threads execute: a statement, a variable of a declaration, or other text that is made of
/// tokens.
struct Part {
    TokenRange range;
    const Statement* statement = nullptr;
    const DeclaredVariable* variable = nullptr;
    /// Ahead of the statement's text; or the whole of it, where there is no statement.
    std::string text = {};
};

/// What is executed by each thread, between two places where threads wait; or text that is executed once.
struct Piece {
    std::vector<Part> region{};
    std::string once{};
    /// The threads of the region, and those that meet: all of the block (0), or those of some statement.
    std::size_t some = 0;
    /// `once` is an operation of the warp, to be told who comes.
    bool meets = false;
    bool is_region() const { return !region.empty(); }
};

/// A statement that some threads of the block execute, of each warp all or those that its masks name.
struct SomeThreads {
    /// Around its pieces.
    std::size_t begin, end;
    /// It stands in a loop: those that leave it out may come to it again.
    bool in_loop;
    bool returns;
};

/// The kernel cannot be cut.
struct Uncut {};

class KernelCutter {
public:
    KernelCutter(const TokenizedFile& file, const Brackets& brackets, const ProgramNames& names, const Waiting& waiting,
                 const KernelText& kernel, const std::vector<Statement>& body)
        : file_(file),
          stream_(file.code),
          tokens_(file.code.tokens),
          brackets_(brackets),
          names_(names),
          waiting_(waiting),
          kernel_(kernel),
          body_(body),
          values_(file.code, brackets, names, kernel, body) {}

    std::string run() {
        if (values_.unclear()) throw Uncut();
        lay_out(body_, true);
        flush();
        require_all_waits();
        require_no_return_ahead_of_waits();
        find_owners();
        return written();
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    // -- the pieces ----------------------------------------------------------------------------------------------

    void lay_out(const std::vector<Statement>& list, bool outermost) {
        for (const Statement& each : list) {
            lay_out(each);
            if (outermost && (each.waits || each.meets)) last_wait_ = pieces_.size();
        }
    }

    void lay_out(const Statement& statement) {
        using Kind = Statement::Kind;
        if (statement.kind == Kind::barrier) {
            ++waits_;
            flush();
            last_barrier_ = pieces_.size() + 1;
        } else if (statement.kind == Kind::declaration) {
            lay_out_declaration(statement);
        } else if (statement.kind == Kind::expression && statement.meets) {
            const TokenRange expression{statement.all.begin, statement.all.end - 1};
            take_out(expression);
            if (!is_taken_out(expression)) lay_out_whole(statement);
        } else if (statement.meets && statement.kind != Kind::branch) {
            throw Uncut();
        } else if (statement.waits) {
            lay_out_around(statement);
        } else if (statement.kind == Kind::alias) {
            once(type_text(statement.all));
        } else if ((statement.kind == Kind::expression && changes_uniform(statement)) || leaves_loop(statement)) {
            flush();
            once(spelled(statement.all));
        } else if (statement.kind != Kind::empty) {
            if (statement.meets) take_out(statement.condition);
            lay_out_whole(statement);
        }
    }
    void lay_out_whole(const Statement& statement) {
        require_no_jump(statement, false);
        open_.push_back({.range = statement.all, .statement = &statement});
    }

    void flush() {
        if (!open_.empty()) pieces_.push_back({.region = std::move(open_), .some = some_});
        open_.clear();
    }
    /// Text that is executed once, ahead of the region that is being gathered.
    void once(std::string text) { pieces_.push_back({.once = std::move(text)}); }

    bool changes_uniform(const Statement& statement) const {
        return values_.changes_uniform({statement.all.begin, statement.all.end - 1});
    }

    void lay_out_around(const Statement& statement) {
        using Kind = Statement::Kind;
        const bool loop = statement.kind == Kind::for_loop;
        const bool headed = loop || statement.kind == Kind::while_loop || statement.kind == Kind::branch;
        if (!headed && statement.kind != Kind::compound && statement.kind != Kind::do_loop) throw Uncut();
        if (statement.meets || (!statement.condition.empty() && !values_.is_uniform(statement.condition)))
            return lay_out_for_some(statement);
        flush();
        if (loop) require_uniform_head(statement);
        once(headed                            ? spelled({statement.all.begin, head_end(statement)}) + " {"
             : statement.kind == Kind::do_loop ? "do {"
                                               : "{");
        const bool repeats = statement.kind != Kind::branch && statement.kind != Kind::compound;
        loops_ += repeats;
        lay_out_inner(statement.inner[loop ? 1 : 0], statement.kind == Kind::compound ? &statement : nullptr);
        loops_ -= repeats;
        if (statement.kind == Kind::branch && statement.inner.size() > 1) {
            once("} else {");
            lay_out_inner(statement.inner[1], nullptr);
        }
        once(statement.kind == Kind::do_loop ? "} while (" + spelled(statement.condition) + ");" : "}");
    }

    // -- what some threads of the block do -----------------------------------------------------------------------

    /// A statement on a condition that threads need not have in common. No barrier stands in it, and its operations of
    /// the warp look whether those come that have to.
    void lay_out_for_some(const Statement& statement) {
        using Kind = Statement::Kind;
        if (statement.has_barrier) throw Uncut();
        const std::string number = std::to_string(statement.all.begin), some = "lanework_some_" + number;
        const std::size_t begin = pieces_.size(), outer = some_;
        if (statement.kind == Kind::branch) {
            if (statement.meets) take_out(statement.condition);
            flush();
            once("{ ::lanework_simt::warp_regions::Some " + some + "(lanework_block);");
            lay_out_branch_for_some(statement, some);
        } else if (statement.kind == Kind::for_loop || statement.kind == Kind::while_loop) {
            if (statement.meets) throw Uncut();
            flush();
            once("{ ::lanework_simt::warp_regions::Some " + some + "(lanework_block);");
            lay_out_loop_for_some(statement, some);
        } else {
            throw Uncut();
        }
        some_ = outer;
        once("}");
        some_threads_.emplace(statement.all.begin,
                              SomeThreads{begin, pieces_.size(), loops_ > 0, names_return(statement.all)});
    }

    void lay_out_branch_for_some(const Statement& statement, const std::string& some) {
        const bool other = statement.inner.size() > 1;
        if (other && (statement.inner[1].waits || statement.inner[1].meets)) throw Uncut();
        open_.push_back({.range = statement.condition,
                         .text = "if (" + spelled(statement.condition) + ") " + some + ".take(lanework_thread);"});
        if (other) {
            // Ahead of those who wait for nobody else: who leaves the kernel is not waited for.
            require_no_jump(statement.inner[1], false);
            open_.push_back({.range = statement.inner[1].all,
                             .statement = &statement.inner[1],
                             .text = "if (!" + some + ".has(lanework_thread)) "});
        }
        flush();
        once("if (" + some + ".settle()) {");
        some_ = statement.all.begin;
        lay_out_inner(statement.inner[0], nullptr);
        once("}");
    }

    /// Each round is one of those threads whose condition still holds.
    void lay_out_loop_for_some(const Statement& statement, const std::string& some) {
        const bool counts = statement.kind == Statement::Kind::for_loop;
        if (counts) {
            if (statement.inner[0].meets) throw Uncut();
            lay_out(statement.inner[0]);
        }
        open_.push_back({.range = {}, .text = some + ".take(lanework_thread);"});
        flush();
        once(some + ".settle(); for (;;) {");
        some_ = statement.all.begin;
        if (!statement.condition.empty()) {
            open_.push_back({.range = statement.condition,
                             .text = "if (" + spelled(statement.condition) + ") " + some +
                                     ".take(lanework_thread); else " + some + ".leave(lanework_thread);"});
            flush();
            once("if (!" + some + ".settle()) break;");
        }
        ++loops_;
        lay_out_inner(statement.inner[counts ? 1 : 0], nullptr);
        --loops_;
        if (counts && !statement.step.empty()) {
            if (values_.changes_uniform(statement.step))
                once(spelled(statement.step) + ";");
            else
                open_.push_back({.range = statement.step, .text = spelled(statement.step) + ";"});
            flush();
        }
        once("}");
    }

    bool names_return(TokenRange range) const {
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (is(i, "return")) return true;
        return false;
    }
    /// Whether threads that leave some statement out may wait for others later.
    bool waits_behind(const SomeThreads& some) const {
        if (some.in_loop) return true;
        for (std::size_t i = some.end; i < pieces_.size(); ++i)
            if (pieces_[i].meets) return true;
        return some.end < last_barrier_;
    }
    /// Those that go on by themselves could meet lanes that others would wait for.
    void require_no_return_ahead_of_waits() const {
        for (const auto& [number, some] : some_threads_)
            if (some.returns && waits_behind(some)) throw Uncut();
    }

    // -- operations of the warp ----------------------------------------------------------------------------------

    static std::string meeting(const WarpCall& call) { return "lanework_meeting_" + std::to_string(call.all.begin); }
    bool is_taken_out(TokenRange expression) const {
        const auto found = taken_out_.find(expression.begin);
        return found != taken_out_.end() && found->second.end == expression.end && !found->second.writes;
    }

    /// Ends the region in front of an expression, whose calls of the warp's operations become what they give.
    void take_out(TokenRange expression) {
        const auto calls = warp_calls(stream_, brackets_, expression);
        if (!calls) throw Uncut();
        std::vector<const WarpCall*> together;
        const auto meet = [&] {
            flush();
            for (const WarpCall* each : together)
                pieces_.push_back({.once = meeting(*each) + ".meet(", .some = some_, .meets = true});
            together.clear();
        };
        for (const WarpCall& each : *calls) {
            const bool holds_another = std::ranges::any_of(
                together, [&](const WarpCall* other) { return each.all.contains(other->all.begin); });
            if (holds_another) meet();
            put_down(each);
            together.push_back(&each);
            ++waits_;
        }
        meet();
    }

    void put_down(const WarpCall& call) {
        using Kind = WarpOperation::Kind;
        const Kind kind = call.operation->kind;
        const std::string operation = "::lanework_simt::WarpOperation::" + std::string(call.operation->name);
        std::vector<std::string> given, put, each;
        /// What all threads have in common is said once.
        const auto add = [&](std::size_t argument, const char* otherwise) {
            const bool written = argument < call.arguments.size();
            const bool common = !written || values_.is_uniform(call.arguments[argument]);
            const std::string text = written ? spelled(call.arguments[argument]) : otherwise;
            given.push_back(common ? text : otherwise);
            put.push_back(common ? otherwise : text);
            each.push_back(common ? "false" : "true");
        };
        std::string type, value;
        if (kind != Kind::sync && kind != Kind::active) {
            value = spelled(call.arguments[1]);
            type = type_of_text(type_text(call.arguments[1]));
        }
        if (kind != Kind::active) add(0, "~0u");
        // In another round its lanes may be named by masks of this one: each thread has to find out when it comes.
        if (kind != Kind::active && each.back() == "true" && some_ != 0 && loops_ > 0) throw Uncut();
        if (kind == Kind::shuffle) {
            add(2, "0");
            add(3, "32");
        }
        const auto list = [](const std::vector<std::string>& texts) {
            std::string text;
            for (const std::string& one : texts) text += ", " + one;
            return text;
        };
        std::string what;
        switch (kind) {
            case Kind::sync: what = "Sync<" + each[0] + ">"; break;
            case Kind::active: what = "Active"; break;
            case Kind::vote: what = "Vote<" + operation + list(each) + ">"; break;
            case Kind::shuffle:
            case Kind::match: what = name_of(kind) + ("<" + operation + ", " + type + list(each) + ">"); break;
            case Kind::reduction:
                what = "Reduction<" + operation + ", decltype(" + std::string(call.operation->function) + "(0u, " +
                       type_text(call.arguments[1]) + "))" + list(each) + ">";
                break;
        }
        const std::string name = meeting(call);
        once("::lanework_simt::warp_regions::" + what + " " + name + "(lanework_block, " + place_of(call) +
             list(given) + ");");
        if (kind != Kind::active) {
            const bool of_each = each[0] == "true" || !value.empty();
            const std::string brought = (value.empty() ? "" : ", " + value) + list(put);
            if (of_each) open_.push_back({.range = call.all, .text = name + ".put(lanework_thread" + brought + ");"});
        }
        const bool writes = kind == Kind::match && call.arguments.size() > 2;
        const std::string further = writes ? ", " + spelled(call.arguments[2]) : "";
        taken_out_[call.all.begin] = {call.all.end, name + ".get(lanework_thread" + further + ")", name + ".get(0u)",
                                      writes};
    }
    static const char* name_of(WarpOperation::Kind kind) {
        return kind == WarpOperation::Kind::shuffle ? "Shuffle" : "Match";
    }
    std::string place_of(const WarpCall& call) const {
        const std::string_view ahead = file_.text.substr(0, tokens_[call.all.begin].offset);
        return "::lanework_simt::Place{__FILE__, " + std::to_string(1 + std::ranges::count(ahead, '\n')) + "}";
    }

    /// The text of an expression for its type alone, where no thread runs that has the variables it names.
    std::string type_text(TokenRange range) const {
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto taken = taken_out_.find(i);
            const KernelVariable* const variable = tokens_[i].identifier() && values_.names_variable(i)
                                                       ? values_.variable_at(i, tokens_[i].text)
                                                       : nullptr;
            if (taken != taken_out_.end()) {
                text += taken->second.type + ' ';
                i = taken->second.end - 1;
            } else if (variable && variable->declared && !variable->shared && variable->role != Role::uniform) {
                if (variable->reference) throw Uncut();
                text += "::lanework_simt::warp_regions::lvalue<" + type_of(*variable) + ">() ";
            } else {
                text += tokens_[i].text;
                text += ' ';
            }
        }
        return text;
    }

    // -- loops and declarations ----------------------------------------------------------------------------------

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
            if (statement.meets) take_out(each.initializer);
            if (known->role == Role::uniform) once(spelled(statement, each));
            if (known->role == Role::own) open_.push_back({range_of(each), &statement, &each});
        }
    }

    /// if (uniform) break; or continue; of a loop around a barrier: all threads do.
    bool leaves_loop(const Statement& statement) const {
        if (statement.kind != Statement::Kind::branch || statement.inner.size() != 1) return false;
        const Statement* inner = &statement.inner[0];
        if (inner->kind == Statement::Kind::compound && inner->inner.size() == 1) inner = &inner->inner[0];
        const bool leaves = inner->kind == Statement::Kind::jump && !is(inner->all.begin, "return");
        // Of a loop of some threads the step stands at the end of its rounds.
        if (leaves && some_ != 0 && is(inner->all.begin, "continue")) return false;
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

    /// Each barrier and operation of the warp that the text names is one of those between regions.
    void require_all_waits() const {
        std::size_t named = 0;
        for (std::size_t i = kernel_.body.begin; i < kernel_.body.end; ++i) {
            if (!tokens_[i].identifier() && !is(i, "[")) continue;
            named += is(i, "__syncthreads") || warp_operation(tokens_[i].text);
            if (waiting_.waits(tokens_[i].text)) throw Uncut();
            // Lambdas.
            const bool operand = tokens_[i - 1].identifier() || is(i - 1, "]") || is(i - 1, ")");
            if (is(i, "[") && !operand) throw Uncut();
            const bool decays = is(i - 1, "<") && is(i - 2, "decay_t");
            if (is(i, "__LINE__") || is(i, "__COUNTER__") || (is(i, "decltype") && !decays)) throw Uncut();
        }
        if (named != waits_) throw Uncut();
    }

    // -- what threads keep ---------------------------------------------------------------------------------------

    static TokenRange range_of(const DeclaredVariable& variable) {
        return {variable.name, std::max({variable.name + 1, variable.subscripts.end, variable.initializer.end})};
    }
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
            if (const auto taken = taken_out_.find(i); taken != taken_out_.end()) {
                text += taken->second.value + ' ';
                i = taken->second.end - 1;
                continue;
            }
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
        if (!variable.declared) return type_of_text(std::string(variable.name));
        for (std::size_t i = variable.statement->type.begin; i < variable.statement->type.end; ++i)
            if (is(i, "auto")) return type_of_value(variable);
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

    static std::string type_of_text(const std::string& value) {
        return "decltype(::lanework_simt::warp_regions::of_value(" + value + "))";
    }
    /// Of a variable whose type is its value's.
    std::string type_of_value(const KernelVariable& variable) const {
        const TokenRange given = variable.declared->initializer;
        if (given.empty() || !is(given.begin, "=")) throw Uncut();
        return type_of_text(type_text({given.begin + 1, given.end}));
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
        if (leaves_early_)
            text += "::lanework_simt::Kept<bool> lanework_left(lanework_block, false); bool lanework_gone = false; ";
        for (const Piece& each : pieces_)
            text += each.is_region() ? written(each) : each.once + (each.meets ? who_comes(each) : "") + ' ';
        return text + "LANEWORK_REGIONS_END; ";
    }

    /// The threads that left the kernel, and those that come to an operation of the warp.
    std::string who_comes(const Piece& piece) const {
        const std::string left = leaves_early_ ? "lanework_gone ? &lanework_left[0] : nullptr" : "nullptr";
        if (piece.some == 0) return left + ", nullptr, false);";
        // Who leaves some statement out, and what follows, has as good as left.
        const bool others_leave = !waits_behind(some_threads_.at(piece.some));
        return left + ", &lanework_some_" + std::to_string(piece.some) + ", " + (others_leave ? "true" : "false") +
               ");";
    }

    bool returns(const Piece& piece) const {
        return std::ranges::any_of(piece.region,
                                   [&](const Part& part) { return part.statement && names_return(part.range); });
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
        for (const Part& part : piece.region) inside += written(part, number) + ' ';
        const std::string some = "lanework_some_" + std::to_string(piece.some);
        return before + (piece.some != 0 ? "LANEWORK_SOME_THREADS_BEGIN(" + some + ") " : "LANEWORK_THREADS_BEGIN ") +
               (leaves_early_ ? "if (lanework_gone && lanework_left[lanework_thread]) continue; " : "") +
               "LANEWORK_THREAD_BEGIN { " + inside + behind + "} " + (leaves ? "lanework_next_" + number + ": " : "") +
               "LANEWORK_THREAD_END; ";
    }
    std::string written(const Part& part, const std::string& number) const {
        if (part.variable) return spelled(*part.statement, *part.variable);
        return part.text + (part.statement ? executed(part.range, number) : "");
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
            if (const auto taken = taken_out_.find(i); taken != taken_out_.end()) {
                text += taken->second.value + ' ';
                i = taken->second.end - 1;
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

    /// A call of a warp's operation that stands no more where it stood.
    struct TakenOut {
        std::size_t end;
        /// What stands there, for a thread and for its type alone.
        std::string value, type;
        /// It has an effect besides its value.
        bool writes;
    };

    const TokenizedFile& file_;
    const Stream& stream_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const ProgramNames& names_;
    const Waiting& waiting_;
    const KernelText& kernel_;
    const std::vector<Statement>& body_;
    const Uniformity values_;
    std::vector<Piece> pieces_;
    std::vector<Part> open_;
    std::vector<const KernelVariable*> kept_;
    /// By their first tokens.
    std::map<std::size_t, TakenOut> taken_out_;
    std::map<std::size_t, SomeThreads> some_threads_;
    /// The statement whose threads are laid out; 0 for all of the block.
    std::size_t some_ = 0;
    /// Loops around what is laid out.
    std::size_t loops_ = 0;
    /// The pieces up to the last barrier, and up to the last statement with any wait.
    std::size_t last_barrier_ = 0, last_wait_ = 0;
    std::size_t waits_ = 0, regions_ = 0;
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
    try {
        return KernelCutter(file, brackets, names, waiting, kernel, *statements).run();
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
