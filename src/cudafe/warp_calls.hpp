// The calls of the warp's operations in an expression, which a kernel in regions takes out of it: their arguments are
// evaluated by all threads ahead of the expression, and what the calls give stands in their place.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

struct WarpOperation {
    enum class Kind { sync, active, shuffle, vote, match, reduction, join };
    std::string_view function;
    Kind kind;
    /// Its name in lanework_simt::WarpOperation; of a join, which gives what a cooperative group makes of its values
    /// (plain_groups.hpp), in warp_regions::JoinOrder.
    std::string_view name;
    std::size_t fewest_arguments, most_arguments;
};
/// The operation of a function's name; null for any other word.
const WarpOperation* warp_operation(std::string_view word);
/// Whether one of them is named in a text.
bool names_warp_operation(const Stream& stream, TokenRange range);

struct WarpCall {
    const WarpOperation* operation = nullptr;
    /// Its name and all up to the closing parenthesis.
    TokenRange all;
    std::vector<TokenRange> arguments;
};

/// The calls in an expression, those in another's arguments ahead of it. Nothing where one is not always evaluated, or
/// where more changes in the expression than what all of it is assigned to.
std::optional<std::vector<WarpCall>> warp_calls(const Stream& stream, const Brackets& brackets, TokenRange expression);

/// Whether functions that are called at tokens of an expression may be called ahead of it: each is always evaluated,
/// and nothing else in the expression changes but what all of it is assigned to.
bool may_be_called_ahead(const Stream& stream, const Brackets& brackets, TokenRange expression,
                         const std::vector<std::size_t>& calls);

}  // namespace lanework::cudafe
