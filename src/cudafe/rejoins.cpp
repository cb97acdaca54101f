// Finds the branches and loops behind which the lanes of a warp come together again.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "src/cudafe/volatile_accesses.hpp"
#include "src/cudafe/volatile_reader.hpp"

namespace lanework::cudafe {
namespace {

class Rejoiner {
public:
    Rejoiner(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names, const DeviceCode& device,
             Edits& edits)
        : file_(file),
          tokens_(file.code.tokens),
          brackets_(brackets),
          read_(file.code, brackets, names),
          device_(device),
          edits_(edits) {}

    void run() {
        std::set<std::size_t> tails;  // the `while` of `do … while`
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!is(i, "do")) continue;
            const std::size_t end = end_of(i + 1);
            if (end != kNone && is(end + 1, "while")) tails.insert(end + 1);
        }
        // Inner ones first: where two end at one place, the inner one's end comes first.
        for (std::size_t i = tokens_.size(); i-- > 0;) {
            const bool loop = is(i, "for") || is(i, "do") || (is(i, "while") && !tails.contains(i));
            if (!(loop || is(i, "if") || is(i, "switch")) || !brackets_.in_function(i)) continue;
            const std::size_t end = end_of(i);
            if (end == kNone || !read_.accesses(i, end + 1)) continue;
            if (!device_.around(file_.code, brackets_, i).execution.device) continue;
            if (loop && holds_continue(i, end)) rejoin_iterations(i, end);
            rejoin_behind(i, end);
        }
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return read_.is(i, spelling); }
    std::size_t match(std::size_t i) const { return i < tokens_.size() ? brackets_.match(i) : kNone; }

    /// The last token of the statement that begins at `i`; kNone where that is not seen.
    std::size_t end_of(std::size_t i) const {
        if (is(i, "{")) return match(i);
        if (is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch")) {
            const std::size_t head = is(i + 1, "constexpr") ? i + 2 : i + 1;
            const std::size_t close = is(head, "(") ? match(head) : kNone;
            const std::size_t end = close == kNone ? kNone : end_of(close + 1);
            return end != kNone && is(i, "if") && is(end + 1, "else") ? end_of(end + 2) : end;
        }
        if (is(i, "do")) {
            const std::size_t end = end_of(i + 1);
            const std::size_t close = end != kNone && is(end + 1, "while") && is(end + 2, "(") ? match(end + 2) : kNone;
            return close != kNone && is(close + 1, ";") ? close + 1 : kNone;
        }
        for (; i < tokens_.size() && !is(i, ";"); ++i) {
            if (is(i, "}") || is(i, ")") || is(i, "]")) return kNone;
            if (is(i, "{") || is(i, "(") || is(i, "[")) {
                i = match(i);
                if (i == kNone) return kNone;
            }
        }
        return i < tokens_.size() ? i : kNone;
    }

    bool holds_continue(std::size_t begin, std::size_t end) const {
        return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                           tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                           [](const Token& token) { return token.is("continue"); });
    }
    bool holds_directive(std::size_t begin, std::size_t end) const {
        return std::any_of(file_.conditionals.begin(), file_.conditionals.end(),
                           [&](const Conditional& each) { return each.token > begin && each.token <= end; });
    }
    std::string call(std::size_t end) const {
        return "::lanework_simt::rejoin(" + std::to_string(column_of(file_.text, tokens_[end].offset));
    }

    void rejoin_behind(std::size_t begin, std::size_t end) {
        const bool alone =
            begin > 0 && (is(begin - 1, ";") || is(begin - 1, "{") || is(begin - 1, "}") || is(begin - 1, ":"));
        if (!alone && holds_directive(begin, end)) return;
        if (!alone) edits_.insert(tokens_[begin].offset, "{ ");
        edits_.insert(tokens_[end].end(), " " + call(end) + ");" + (alone ? "" : " }"));
    }

    /// At the end of each iteration, which is the loop's last place in the code.
    void rejoin_iterations(std::size_t begin, std::size_t end) {
        const std::string_view before = file_.text.substr(0, tokens_[end].offset);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::string there = call(end) + " - 1, " + std::to_string(line) + ")";
        const std::size_t open = is(begin, "do") ? match(end - 1) : begin + 1;
        const std::size_t close = match(open);
        if (close == kNone) return;
        if (is(begin, "for")) {
            const bool counted = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(open),
                                             tokens_.begin() + static_cast<std::ptrdiff_t>(close),
                                             [](const Token& token) { return token.is(";"); });
            if (counted) edits_.insert(tokens_[close].offset, (is(close - 1, ";") ? " " : ", ") + there);
        } else if (!(read_.identifier(open + 1) && read_.identifier(open + 2))) {
            edits_.insert(tokens_[open].end(), there + ", (");
            edits_.insert(tokens_[close].offset, ")");
        }
    }

    const TokenizedFile& file_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const VolatileReader read_;
    const DeviceCode& device_;
    Edits& edits_;
};

}  // namespace

void rewrite_rejoins(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                     const DeviceCode& device, Edits& edits) {
    Rejoiner(file, brackets, names, device, edits).run();
}

}  // namespace lanework::cudafe
