// Calls are found by name; what is evaluated always is told from the operators ahead of a call, bracket by bracket.
#include "src/cudafe/warp_calls.hpp"

#include <algorithm>
#include <array>

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/statements.hpp"

namespace lanework::cudafe {
namespace {

using Kind = WarpOperation::Kind;

constexpr std::array<WarpOperation, 20> kOperations{
    {{"__syncwarp", Kind::sync, "syncwarp", 0, 1},
     {"__activemask", Kind::active, "activemask", 0, 0},
     {"__shfl_sync", Kind::shuffle, "shuffle_index", 3, 4},
     {"__shfl_up_sync", Kind::shuffle, "shuffle_up", 3, 4},
     {"__shfl_down_sync", Kind::shuffle, "shuffle_down", 3, 4},
     {"__shfl_xor_sync", Kind::shuffle, "shuffle_xor", 3, 4},
     {"__any_sync", Kind::vote, "any", 2, 2},
     {"__all_sync", Kind::vote, "all", 2, 2},
     {"__ballot_sync", Kind::vote, "ballot", 2, 2},
     {"__match_any_sync", Kind::match, "match_any", 2, 2},
     {"__match_all_sync", Kind::match, "match_all", 3, 3},
     {"__reduce_add_sync", Kind::reduction, "reduce_add", 2, 2},
     {"__reduce_min_sync", Kind::reduction, "reduce_min", 2, 2},
     {"__reduce_max_sync", Kind::reduction, "reduce_max", 2, 2},
     {"__reduce_and_sync", Kind::reduction, "reduce_and", 2, 2},
     {"__reduce_or_sync", Kind::reduction, "reduce_or", 2, 2},
     {"__reduce_xor_sync", Kind::reduction, "reduce_xor", 2, 2},
     {"__lanework_reduce_group", Kind::join, "reduce", 4, 4},
     {"__lanework_inclusive_scan_group", Kind::join, "inclusive_scan", 4, 4},
     {"__lanework_exclusive_scan_group", Kind::join, "exclusive_scan", 4, 4}}};

class Expression {
public:
    Expression(const Stream& stream, const Brackets& brackets, TokenRange range)
        : tokens_(stream.tokens), brackets_(brackets), range_(range) {}

    /// Whether the calls at these tokens may come ahead of the expression.
    bool may_come_ahead(const std::vector<std::size_t>& calls) const {
        return std::ranges::all_of(calls, [&](std::size_t call) { return is_evaluated(call); }) && changes_alone(calls);
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < range_.end && tokens_[i].is(spelling); }
    bool doubled(std::size_t i, std::string_view sign) const {
        return is(i, sign) && is(i + 1, sign) && brackets_.adjacent(i);
    }

    /// Whether nothing ahead of the token in the brackets around it may skip it.
    bool is_evaluated(std::size_t token) const {
        std::vector<std::size_t> open;
        std::vector<bool> skips{false};
        for (std::size_t i = range_.begin; i < token; ++i) {
            if (is(i, "(") || is(i, "[") || is(i, "{")) {
                open.push_back(i);
                skips.push_back(false);
            } else if (is(i, ")") || is(i, "]") || is(i, "}")) {
                if (open.empty()) return false;
                open.pop_back();
                skips.pop_back();
            } else if (doubled(i, "&") || doubled(i, "|") || is(i, "?") || is(i, "and") || is(i, "or")) {
                skips.back() = true;
            } else if (is(i, ",") && (open.empty() || !takes_list(open.back()))) {
                return false;
            }
        }
        return std::ranges::find(skips, true) == skips.end();
    }
    /// Whether a bracket holds arguments, not an expression with a comma.
    bool takes_list(std::size_t open) const {
        if (is(open, "{")) return true;
        return is(open, "(") && open > range_.begin &&
               ((tokens_[open - 1].identifier() && !is_statement_word(tokens_[open - 1])) || is(open - 1, ">"));
    }

    bool assigns(std::size_t i) const {
        if (!is(i, "=") || is(i - 1, "=") || (is(i + 1, "=") && brackets_.adjacent(i))) return false;
        const auto before = [&](std::string_view sign) { return is(i - 1, sign) && brackets_.adjacent(i - 1); };
        const bool shift = i > range_.begin + 1 && is(i - 2, tokens_[i - 1].text);
        return !before("!") && ((!before("<") && !before(">")) || shift);
    }
    /// Nothing is changed behind the one `=` outside all brackets, if there is one, and that is ahead of all calls.
    bool changes_alone(const std::vector<std::size_t>& calls) const {
        std::size_t behind = range_.begin, depth = 0;
        for (std::size_t i = range_.begin; i < range_.end; ++i) {
            depth += is(i, "(") || is(i, "[") || is(i, "{");
            depth -= is(i, ")") || is(i, "]") || is(i, "}");
            if (!assigns(i)) continue;
            if (depth != 0 || behind != range_.begin) return false;
            behind = i + 1;
        }
        for (std::size_t i = behind; i < range_.end; ++i)
            if (doubled(i, "+") || doubled(i, "-")) return false;
        return std::ranges::all_of(calls, [&](std::size_t call) { return call >= behind; });
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const TokenRange range_;
};

}  // namespace

const WarpOperation* warp_operation(std::string_view word) {
    const auto found = std::ranges::find(kOperations, word, &WarpOperation::function);
    return found == kOperations.end() ? nullptr : &*found;
}

bool names_warp_operation(const Stream& stream, TokenRange range) {
    for (std::size_t i = range.begin; i < range.end; ++i)
        if (stream.tokens[i].identifier() && warp_operation(stream.tokens[i].text)) return true;
    return false;
}

bool may_be_called_ahead(const Stream& stream, const Brackets& brackets, TokenRange expression,
                         const std::vector<std::size_t>& calls) {
    return calls.empty() || Expression(stream, brackets, expression).may_come_ahead(calls);
}

std::optional<std::vector<WarpCall>> warp_calls(const Stream& stream, const Brackets& brackets, TokenRange expression) {
    const auto& tokens = stream.tokens;
    std::vector<WarpCall> found;
    std::vector<std::size_t> places;
    for (std::size_t i = expression.begin; i < expression.end; ++i) {
        const WarpOperation* const operation = tokens[i].identifier() ? warp_operation(tokens[i].text) : nullptr;
        if (!operation) continue;
        if (i + 1 >= expression.end || !tokens[i + 1].is("(") || brackets.match(i + 1) == kNone) return {};
        const std::size_t close = brackets.match(i + 1);
        WarpCall call{operation, {i, close + 1}, brackets.split({i + 2, close})};
        if (call.arguments.size() < operation->fewest_arguments || call.arguments.size() > operation->most_arguments)
            return {};
        found.push_back(std::move(call));
        places.push_back(i);
    }
    if (!may_be_called_ahead(stream, brackets, expression, places)) return {};
    std::ranges::sort(found, {}, [](const WarpCall& call) { return call.all.end; });
    return found;
}

}  // namespace lanework::cudafe
