// Statements are laid out one after the other; what the rules do not allow ends it with Uncut.
#include "src/cudafe/kernel_layout.hpp"

#include <algorithm>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {
using Role = KernelVariable::Role;
}

KernelLayout::KernelLayout(const KernelSource& source)
    : file_(source.file),
      stream_(source.file.code),
      tokens_(source.file.code.tokens),
      brackets_(source.brackets),
      waiting_(source.waiting),
      kernel_(source.kernel),
      values_(source.file.code, source.brackets, source.names, source.kernel, source.body) {
    if (values_.unclear()) throw Uncut();
    lay_out(source.body, true);
    flush();
    require_all_waits();
    require_nothing_ahead_of_waits();
}

const KernelLayout::TakenOut* KernelLayout::taken_out(std::size_t token) const {
    const auto found = taken_out_.find(token);
    return found == taken_out_.end() ? nullptr : &found->second;
}

bool KernelLayout::others_leave(const Piece& piece) const { return !waits_behind(some_threads_.at(piece.some)); }

// -- the pieces ----------------------------------------------------------------------------------------------

void KernelLayout::lay_out(const std::vector<Statement>& list, bool outermost) {
    for (const Statement& each : list) {
        lay_out(each);
        if (outermost && (each.waits || each.meets)) last_wait_ = pieces_.size();
    }
}

void KernelLayout::lay_out(const Statement& statement) {
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

void KernelLayout::lay_out_whole(const Statement& statement) {
    require_no_jump(statement, false);
    open_.push_back({.range = statement.all, .statement = &statement});
}

void KernelLayout::flush() {
    if (!open_.empty()) pieces_.push_back({.region = std::move(open_), .some = some_});
    open_.clear();
}

void KernelLayout::once(std::string text) { pieces_.push_back({.once = std::move(text)}); }

bool KernelLayout::changes_uniform(const Statement& statement) const {
    return values_.changes_uniform({statement.all.begin, statement.all.end - 1});
}

void KernelLayout::lay_out_around(const Statement& statement) {
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

void KernelLayout::lay_out_for_some(const Statement& statement) {
    using Kind = Statement::Kind;
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
    some_threads_.emplace(statement.all.begin, SomeThreads{begin, pieces_.size(), loops_ > 0,
                                                           names_return(statement.all), statement.has_barrier});
}

void KernelLayout::lay_out_branch_for_some(const Statement& statement, const std::string& some) {
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

void KernelLayout::lay_out_loop_for_some(const Statement& statement, const std::string& some) {
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
                         .text = "if (" + spelled(statement.condition) + ") " + some + ".take(lanework_thread); else " +
                                 some + ".leave(lanework_thread);"});
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

bool KernelLayout::names_return(TokenRange range) const {
    for (std::size_t i = range.begin; i < range.end; ++i)
        if (is(i, "return")) return true;
    return false;
}

bool KernelLayout::waits_behind(const SomeThreads& some) const {
    if (some.in_loop) return true;
    for (std::size_t i = some.end; i < pieces_.size(); ++i)
        if (pieces_[i].meets) return true;
    return some.end < last_barrier_;
}

void KernelLayout::require_nothing_ahead_of_waits() const {
    for (const auto& [number, some] : some_threads_)
        if ((some.returns || some.has_barrier) && waits_behind(some)) throw Uncut();
}

// -- operations of the warp ----------------------------------------------------------------------------------

std::string KernelLayout::meeting(const WarpCall& call) { return "lanework_meeting_" + std::to_string(call.all.begin); }

bool KernelLayout::is_taken_out(TokenRange expression) const {
    const auto found = taken_out_.find(expression.begin);
    return found != taken_out_.end() && found->second.end == expression.end && !found->second.writes;
}

void KernelLayout::take_out(TokenRange expression) {
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
        const bool holds_another =
            std::ranges::any_of(together, [&](const WarpCall* other) { return each.all.contains(other->all.begin); });
        if (holds_another) meet();
        put_down(each);
        together.push_back(&each);
        ++waits_;
    }
    meet();
}

void KernelLayout::put_down(const WarpCall& call) {
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
    // Of a tile whose size the compiler knows: all lanes have one mask where it is the warp.
    if (const TokenRange whole = call.arguments.empty() ? TokenRange{} : whole_warp(call.arguments[0]); !whole.empty())
        each.back() = "!(" + spelled(whole) + ")";
    // In another round its lanes may be named by masks of this one: each thread has to find out when it comes.
    if (kind != Kind::active && each.back() != "false" && some_ != 0 && loops_ > 0) throw Uncut();
    if (kind == Kind::shuffle) {
        add(2, "0");
        add(3, "32");
    }
    if (kind == Kind::join) {
        if (!values_.is_uniform(call.arguments[3])) throw Uncut();
        given.push_back(spelled(call.arguments[3]));
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
        case Kind::join:
            what = "Join<::lanework_simt::warp_regions::JoinOrder::" + std::string(call.operation->name) + ", " + type +
                   ", " +
                   (is(call.arguments[2].begin, "void") ? "::cooperative_groups::plus<" + type + ">"
                                                        : spelled(call.arguments[2])) +
                   list(each) + ">";
            break;
        case Kind::reduction:
            what = "Reduction<" + operation + ", decltype(" + std::string(call.operation->function) + "(0u, " +
                   type_text(call.arguments[1]) + "))" + list(each) + ">";
            break;
    }
    const std::string name = meeting(call);
    once("::lanework_simt::warp_regions::" + what + " " + name + "(lanework_block, " + place_of(call) + list(given) +
         ");");
    if (kind != Kind::active) {
        const bool of_each = each[0] != "false" || !value.empty();
        const std::string brought = (value.empty() ? "" : ", " + value) + list(put);
        if (of_each) open_.push_back({.range = call.all, .text = name + ".put(lanework_thread" + brought + ");"});
    }
    const bool writes = kind == Kind::match && call.arguments.size() > 2;
    const std::string further = writes ? ", " + spelled(call.arguments[2]) : "";
    taken_out_[call.all.begin] = {call.all.end, name + ".get(lanework_thread" + further + ")", name + ".get(0u)",
                                  writes};
}

/// `size == 32` of a mask `(size == 32 ? … : …)`.
TokenRange KernelLayout::whole_warp(TokenRange mask) const {
    if (!is(mask.begin, "(")) return {};
    for (std::size_t i = mask.begin + 1; i + 3 < mask.end; ++i)
        if (is(i, "=") && is(i + 1, "=") && is(i + 2, "32") && is(i + 3, "?")) return {mask.begin + 1, i + 3};
    return {};
}

const char* KernelLayout::name_of(WarpOperation::Kind kind) {
    return kind == WarpOperation::Kind::shuffle ? "Shuffle" : "Match";
}

std::string KernelLayout::place_of(const WarpCall& call) const {
    const std::string_view ahead = file_.text.substr(0, tokens_[call.all.begin].offset);
    return "::lanework_simt::Place{__FILE__, " + std::to_string(1 + std::ranges::count(ahead, '\n')) + "}";
}

std::string KernelLayout::type_text(TokenRange range) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const auto taken = taken_out_.find(i);
        const KernelVariable* const variable =
            tokens_[i].identifier() && values_.names_variable(i) ? values_.variable_at(i, tokens_[i].text) : nullptr;
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

std::size_t KernelLayout::head_end(const Statement& statement) {
    return std::max(statement.condition.end, statement.step.end) + 1;
}

void KernelLayout::lay_out_inner(const Statement& inner, const Statement* compound) {
    if (compound)
        lay_out(compound->inner, false);
    else if (inner.kind == Statement::Kind::compound)
        lay_out(inner.inner, false);
    else
        lay_out(inner);
    flush();
}

void KernelLayout::require_uniform_head(const Statement& loop) const {
    const Statement& init = loop.inner[0];
    for (const DeclaredVariable& each : init.variables) require_uniform(each);
    if (init.kind == Statement::Kind::expression && !changes_uniform(init)) throw Uncut();
    if (!loop.step.empty() && !values_.changes_uniform(loop.step)) throw Uncut();
}

void KernelLayout::require_uniform(const DeclaredVariable& variable) const {
    const KernelVariable* const known = values_.declared_at(variable.name);
    if (!known || known->role != Role::uniform) throw Uncut();
}

void KernelLayout::lay_out_declaration(const Statement& statement) {
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

bool KernelLayout::leaves_loop(const Statement& statement) const {
    if (statement.kind != Statement::Kind::branch || statement.inner.size() != 1) return false;
    const Statement* inner = &statement.inner[0];
    if (inner->kind == Statement::Kind::compound && inner->inner.size() == 1) inner = &inner->inner[0];
    const bool leaves = inner->kind == Statement::Kind::jump && !is(inner->all.begin, "return");
    // Of a loop of some threads the step stands at the end of its rounds.
    if (leaves && some_ != 0 && is(inner->all.begin, "continue")) return false;
    return leaves && values_.is_uniform(statement.condition);
}

void KernelLayout::require_no_jump(const Statement& statement, bool in_loop) const {
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

void KernelLayout::require_all_waits() const {
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

// -- types and text -------------------------------------------------------------------------------------------

TokenRange KernelLayout::range_of(const DeclaredVariable& variable) {
    return {variable.name, std::max({variable.name + 1, variable.subscripts.end, variable.initializer.end})};
}

std::string KernelLayout::spelled(TokenRange range) const {
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

std::string KernelLayout::spelled(const Statement& statement, const DeclaredVariable& variable) const {
    return spelled(statement.type) + ' ' + spelled(variable.pointers) + ' ' + std::string(tokens_[variable.name].text) +
           spelled(variable.subscripts) + ' ' + spelled(variable.initializer) + ';';
}

std::string KernelLayout::type_of(const KernelVariable& variable) const {
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

std::string KernelLayout::type_of_text(const std::string& value) {
    return "decltype(::lanework_simt::warp_regions::of_value(" + value + "))";
}

std::string KernelLayout::type_of_value(const KernelVariable& variable) const {
    const TokenRange given = variable.declared->initializer;
    if (given.empty() || !is(given.begin, "=")) throw Uncut();
    return type_of_text(type_text({given.begin + 1, given.end}));
}

}  // namespace lanework::cudafe
