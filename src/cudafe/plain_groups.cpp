// Groups are known by their declarations, those of a function's parameters by its calls; each use is replaced by
// itself.
#include "src/cudafe/plain_groups.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

constexpr std::string_view kRank = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))",
                           kThreads = "(blockDim.x * blockDim.y * blockDim.z)";

struct Group {
    enum class Kind { block, tile } kind = Kind::block;
    /// Of a tile: a number, or what its function has for one; at most 32 where it is a number.
    std::string size{};
    /// Of a tile that is part of another tile: that one's.
    std::string whole{};
    bool operator==(const Group&) const = default;

    bool is_number() const { return size.find_first_not_of("0123456789") == size.npos; }
    std::string mask() const {
        if (size == "32") return "0xffffffffu";
        // A tile of several warps has none, and its function runs on fibers.
        const std::string some = "(0xffffffffu >> (32 - " + size + ")) << " + shift();
        return is_number() ? "(" + some + ")"
                           : "(" + size + " == 32 ? 0xffffffffu : " + size + " < 32 ? " + some + " : 0u)";
    }
    /// The tile's first lane.
    std::string shift() const { return "(" + std::string(kRank) + " % 32 / " + size + " * " + size + ")"; }
    std::string threads() const { return kind == Kind::block ? std::string(kThreads) : "(0u + " + size + ")"; }
    std::string rank() const {
        return kind == Kind::block ? std::string(kRank) : "(" + std::string(kRank) + " % (0u + " + size + "))";
    }
};
using Groups = std::map<std::string_view, std::optional<Group>>;

struct Function {
    std::string_view name;
    TokenRange parameters{}, body{};
};

/// A function's parameter by its place.
using Place = std::pair<std::string_view, std::size_t>;

class File {
public:
    explicit File(const TokenizedFile& file)
        : file_(file), tokens_(file.code.tokens), brackets_(file.code, file.conditionals) {
        find_constants();
        for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
            if (!tokens_[i].identifier() || !is(i + 1, "(") || is_keyword(tokens_[i].text) || brackets_.in_function(i))
                continue;
            const std::size_t close = brackets_.match(i + 1);
            if (close == kNone || !is(close + 1, "{") || brackets_.match(close + 1) == kNone) continue;
            functions_.push_back({tokens_[i].text, {i + 2, close}, {close + 2, brackets_.match(close + 1)}});
        }
    }

    /// Adds what the calls of functions give for groups, by what is known of the callers' parameters; nothing stands
    /// for a parameter that is given different ones.
    void add_calls(const std::map<Place, std::optional<Group>>& known,
                   std::map<Place, std::optional<Group>>& given) const {
        for (const Function& function : functions_) {
            const Groups groups = groups_of(function, known);
            for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
                const auto group = groups.find(tokens_[i].text);
                if (!tokens_[i].identifier() || is_member(i) || group == groups.end()) continue;
                if (const auto place = argument_at(i, function.body)) add(*place, group->second, given);
            }
        }
    }
    /// Takes back what is known of parameters that are given something else, too.
    void remove_others(std::map<Place, std::optional<Group>>& given,
                       const std::map<Place, std::optional<Group>>& known) const {
        std::map<std::string_view, std::set<std::size_t>> wanted;
        for (const auto& [place, group] : given) wanted[place.first].insert(place.second);
        for (const Function& function : functions_) {
            const Groups groups = groups_of(function, known);
            for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
                const auto places = wanted.find(tokens_[i].text);
                if (!tokens_[i].identifier() || places == wanted.end()) continue;
                std::size_t open = i + 1;
                if (is(open, "<") && brackets_.closing_angle(open) != kNone) open = brackets_.closing_angle(open) + 1;
                const bool call = is(open, "(") && brackets_.match(open) != kNone;
                const auto arguments =
                    call ? brackets_.split({open + 1, brackets_.match(open)}) : std::vector<TokenRange>();
                for (const std::size_t place : places->second) {
                    const bool group = place < arguments.size() && arguments[place].end == arguments[place].begin + 1 &&
                                       groups.contains(tokens_[arguments[place].begin].text);
                    if (!group) given[{tokens_[i].text, place}].reset();
                }
            }
        }
    }

    PlainText written(const std::map<Place, std::optional<Group>>& known) {
        for (const Function& function : functions_) {
            const Groups groups = groups_of(function, known);
            for (std::size_t i = function.body.begin; i < function.body.end; ++i)
                if (tokens_[i].identifier()) replace_at(i, function, groups);
        }
        std::ranges::sort(edits_, {}, &Edit::begin);
        PlainText plain;
        std::size_t at = 0;
        for (const Edit& each : edits_) {
            plain.text += file_.text.substr(at, each.begin - at);
            plain.text += each.by;
            const std::string_view out = file_.text.substr(each.begin, each.length);
            const std::string lines(static_cast<std::size_t>(std::ranges::count(out, '\n')), '\n');
            plain.text += lines;
            plain.replaced.push_back({each.begin, each.length, each.by.size() + lines.size()});
            at = each.begin + each.length;
        }
        plain.text += file_.text.substr(at);
        return plain;
    }

private:
    struct Edit {
        std::size_t begin, length;
        std::string by;
    };

    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
    bool is_member(std::size_t i) const {
        return is(i - 1, ".") || is(i - 1, "::") || (is(i - 1, ">") && is(i - 2, "-"));
    }
    std::string spelled(TokenRange range) const {
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i)
            text += std::string(text.empty() || brackets_.adjacent(i - 1) ? "" : " ") + std::string(tokens_[i].text);
        return text;
    }

    // -- what groups there are -----------------------------------------------------------------------------------

    /// Numbers that the file has a name for.
    void find_constants() {
        std::set<std::string_view> several;
        const auto add = [&](std::string_view name, const Token& value) {
            if (value.kind != TokenKind::number || !constants_.emplace(name, value.text).second) several.insert(name);
        };
        for (const Macro& each : file_.macros)
            if (!each.function_like && each.body.tokens.size() == 1)
                add(each.name, each.body.tokens[0]);
            else
                several.insert(each.name);
        for (std::size_t i = 1; i + 3 < tokens_.size(); ++i) {
            if (!tokens_[i].identifier() || !is(i + 1, "=") || !is(i + 3, ";")) continue;
            const std::size_t start = declaration_start(file_.code, i);
            bool constant = false;
            for (std::size_t k = start; k < i; ++k) constant = constant || is(k, "const") || is(k, "constexpr");
            if (constant) add(tokens_[i].text, tokens_[i + 2]);
        }
        for (const std::string_view name : several)
            if (const auto known = constants_.find(name); known != constants_.end()) constants_.erase(known);
    }
    /// A tile of so many threads; nothing where it is one of several warps.
    std::optional<Group> tile(TokenRange size, const std::optional<Group>& whole = {}) const {
        std::string text = spelled(size);
        if (const auto constant = constants_.find(text); constant != constants_.end()) text = constant->second;
        while (!text.empty() && (text.back() == 'u' || text.back() == 'U') &&
               text.find_first_not_of("0123456789uU") == text.npos)
            text.pop_back();
        Group result{Group::Kind::tile, text, whole && whole->kind == Group::Kind::tile ? whole->size : ""};
        constexpr std::array<std::string_view, 6> kSizes{"1", "2", "4", "8", "16", "32"};
        if (text.empty() || (result.is_number() && !among(text, kSizes))) return {};
        if (!result.is_number()) result.size = "(" + text + ")";
        return result;
    }

    Groups groups_of(const Function& function, const std::map<Place, std::optional<Group>>& known) const {
        Groups groups;
        const auto parameters = brackets_.split(function.parameters);
        for (std::size_t i = 0; i < parameters.size(); ++i) add_parameter(function, i, parameters[i], known, groups);
        for (std::size_t i = function.body.begin; i < function.body.end; ++i)
            if (tokens_[i].identifier() && is(i + 1, "=")) add_variable(i, function.body, groups);
        for (auto each = groups.begin(); each != groups.end();)
            each = each->second ? std::next(each) : groups.erase(each);
        return groups;
    }
    static void add(std::string_view name, std::optional<Group> group, Groups& groups) {
        const auto [known, first] = groups.emplace(name, group);
        if (!first && known->second != group) known->second.reset();
    }
    static void add(const Place& place, const std::optional<Group>& group,
                    std::map<Place, std::optional<Group>>& given) {
        const auto [known, first] = given.emplace(place, group);
        if (!first && known->second != group) known->second.reset();
    }
    void add_parameter(const Function& function, std::size_t place, TokenRange range,
                       const std::map<Place, std::optional<Group>>& known, Groups& groups) const {
        std::size_t name = kNone;
        std::optional<Group> group;
        for (std::size_t i = range.begin; i < range.end && !is(i, "="); ++i) {
            if (is(i, "*") || is(i, "(")) return;
            if (tokens_[i].identifier()) name = i;
            if (is(i, "thread_block")) group = Group();
            if (is(i, "thread_block_tile") && is(i + 1, "<") && brackets_.closing_angle(i + 1) != kNone) {
                const std::size_t close = brackets_.closing_angle(i + 1);
                group = tile(brackets_.split({i + 2, close})[0]);
                i = close;
            }
        }
        if (name == kNone) return;
        const auto called = known.find({function.name, place});
        if (called != known.end() && called->second && (!group || !group->is_number())) group = called->second;
        if (group) add(tokens_[name].text, group, groups);
    }
    /// NAME = this_thread_block(), NAME = tiled_partition<SIZE>(GROUP)
    void add_variable(std::size_t name, TokenRange body, Groups& groups) const {
        if (is_member(name) || is(name + 2, "=")) return;
        std::size_t i = name + 2;
        while (i < body.end && tokens_[i].identifier() && is(i + 1, "::")) i += 2;
        const bool declared = tokens_[name - 1].identifier() || is(name - 1, ">") || is(name - 1, "&");
        std::optional<Group> group;
        std::size_t close = kNone;
        if (is(i, "this_thread_block") && is(i + 1, "(")) {
            group = Group();
            close = i + 2;
        } else if (is(i, "tiled_partition") && is(i + 1, "<") && brackets_.closing_angle(i + 1) != kNone) {
            const std::size_t angle = brackets_.closing_angle(i + 1);
            if (!is(angle + 1, "(") || brackets_.match(angle + 1) == kNone) return;
            close = brackets_.match(angle + 1);
            std::size_t of = angle + 2;
            while (of < close && tokens_[of].identifier() && is(of + 1, "::")) of += 2;
            std::optional<Group> whole;
            if (is(of, "this_thread_block"))
                whole = Group();
            else if (const auto found = groups.find(tokens_[of].text); found != groups.end() && of + 1 == close)
                whole = found->second;
            if (whole) group = tile({i + 2, angle}, whole);
        }
        // What is given another value is none that is known.
        if (groups.contains(tokens_[name].text) || close != kNone)
            add(tokens_[name].text, declared && close != kNone && is(close + 1, ";") ? group : std::nullopt, groups);
    }
    /// The function's parameter that gets what a token names, where that is an argument by itself.
    std::optional<Place> argument_at(std::size_t i, TokenRange body) const {
        if ((!is(i - 1, "(") && !is(i - 1, ",")) || (!is(i + 1, ")") && !is(i + 1, ","))) return {};
        std::size_t open = i - 1;
        while (open > body.begin && !is(open, "(") && !is(open, ";") && !is(open, "{"))
            open = (is(open, ")") || is(open, "]") || is(open, "}")) && brackets_.match(open) != kNone
                       ? brackets_.match(open) - 1
                       : open - 1;
        if (!is(open, "(") || brackets_.match(open) == kNone) return {};
        std::size_t name = open - 1;
        if (is(name, ">") && brackets_.opening_angle(name) != kNone) name = brackets_.opening_angle(name) - 1;
        if (!tokens_[name].identifier() || is_keyword(tokens_[name].text)) return {};
        const auto arguments = brackets_.split({open + 1, brackets_.match(open)});
        for (std::size_t place = 0; place < arguments.size(); ++place)
            if (arguments[place].begin == i && arguments[place].end == i + 1) return Place(tokens_[name].text, place);
        return {};
    }

    // -- what stands for their uses ------------------------------------------------------------------------------

    void replace(std::size_t first, std::size_t last, std::string by) {
        const std::size_t begin = tokens_[first].offset;
        edits_.push_back({begin, tokens_[last].end() - begin, std::move(by)});
    }
    /// Ahead of `cooperative_groups::`.
    std::size_t scope_begin(std::size_t i) const {
        while (i > 1 && is(i - 1, "::") && tokens_[i - 2].identifier()) i -= 2;
        return i;
    }
    void replace_at(std::size_t i, const Function& function, const Groups& groups) {
        if (is(i, "this_thread_block") && is(i + 1, "(") && is(i + 2, ")") && is(i + 3, "."))
            return replace_member(scope_begin(i), i + 4, Group());
        const auto group = groups.find(tokens_[i].text);
        if (group != groups.end() && !is_member(i) && is(i + 1, ".")) return replace_member(i, i + 2, *group->second);
        if (is(i - 1, ".") || (is(i - 1, ">") && is(i - 2, "-"))) return;
        if (!is(i + 1, "(") || brackets_.match(i + 1) == kNone) return;
        const auto of = groups.find(tokens_[i + 2].text);
        const std::size_t close = brackets_.match(i + 1);
        if (is(i, "sync") && is(scope_of(i + 2), "this_thread_block") && scope_of(i + 2) + 3 == close)
            return replace(scope_begin(i), close, "__syncthreads()");
        if (of == groups.end() || close > function.body.end) return;
        if (is(i, "sync") && i + 3 == close) return replace(scope_begin(i), close, barrier(*of->second));
        if (of->second->kind == Group::Kind::tile) replace_join(i, close, *of->second);
    }
    std::size_t scope_of(std::size_t i) const {
        while (i + 1 < tokens_.size() && tokens_[i].identifier() && is(i + 1, "::")) i += 2;
        return i;
    }
    static std::string barrier(const Group& group) {
        return group.kind == Group::Kind::block ? "__syncthreads()" : "__syncwarp(" + group.mask() + ")";
    }

    /// GROUP.member(…); its arguments stay where they are.
    void replace_member(std::size_t first, std::size_t member, const Group& group) {
        if (!is(member + 1, "(") || brackets_.match(member + 1) == kNone) return;
        const std::size_t close = brackets_.match(member + 1);
        const std::string_view name = tokens_[member].text;
        const bool empty = close == member + 2;
        const auto around = [&](const std::string& ahead, const std::string& behind) {
            replace(first, member + 1, ahead);
            replace(close, close, behind);
        };
        if (empty && name == "sync") return replace(first, close, barrier(group));
        if (empty && name == "thread_rank") return replace(first, close, group.rank());
        if (empty && (name == "size" || name == "num_threads")) return replace(first, close, group.threads());
        if (group.kind == Group::Kind::block) {
            const bool of_index = is(close + 1, ".");
            for (const auto& [word, index] : {std::pair<std::string_view, const char*>{"thread_index", "threadIdx"},
                                              {"group_index", "blockIdx"},
                                              {"group_dim", "blockDim"},
                                              {"dim_threads", "blockDim"}})
                if (empty && of_index && name == word) replace(first, close, index);
            return;
        }
        const std::string whole = group.whole.empty() ? std::string(kRank)
                                                      : "(" + std::string(kRank) + " % " + group.whole + ")",
                          all = group.whole.empty() ? std::string(kThreads) : group.whole;
        if (empty && name == "meta_group_rank") return replace(first, close, "(" + whole + " / " + group.size + ")");
        if (empty && name == "meta_group_size")
            return replace(first, close, "((" + all + " + " + group.size + " - 1u) / " + group.size + ")");
        if (empty) return;
        for (const std::string_view word : {"shfl", "shfl_up", "shfl_down", "shfl_xor"})
            if (name == word)
                return around("__" + std::string(word) + "_sync(" + group.mask() + ", ", ", " + group.size + ")");
        if (name == "any" || name == "all")
            return around("__" + std::string(name) + "_sync(" + group.mask() + ", ", ")");
        if (name == "ballot" || name == "match_any")
            return around("(__" + std::string(name) + "_sync(" + group.mask() + ", ",
                          ")" + (group.size == "32" ? "" : " >> " + group.shift()) + ")");
    }

    /// reduce(TILE, value, plus<T>()) and prefix sums: the operation stands as its type.
    void replace_join(std::size_t i, std::size_t close, const Group& group) {
        const std::string_view name = tokens_[i].text;
        const bool reduces = name == "reduce";
        if (!reduces && name != "inclusive_scan" && name != "exclusive_scan") return;
        const auto arguments = brackets_.split({i + 2, close});
        if (arguments.size() != 3 && (reduces || arguments.size() != 2)) return;
        const std::string function = "__lanework_" + std::string(name) + "_group(" + group.mask();
        if (arguments.size() == 2) {
            replace(scope_begin(i), arguments[0].end - 1, function);
            return replace(close, close, ", void, " + group.size + ")");
        }
        const TokenRange operation = arguments[2];
        constexpr std::array<std::string_view, 6> kOperations{"plus",    "less",   "greater",
                                                              "bit_and", "bit_or", "bit_xor"};
        const std::size_t word = scope_of(operation.begin);
        const std::size_t angle = is(word + 1, "<") ? brackets_.closing_angle(word + 1) : kNone;
        const bool known = among(tokens_[word].text, kOperations) && angle != kNone && angle + 3 == operation.end &&
                           (is(angle + 1, "(") || is(angle + 1, "{")) && tokens_[operation.begin].is("std") == false;
        if (!known) return;
        replace(scope_begin(i), arguments[0].end - 1, function);
        replace(angle + 1, angle + 2, "");
        replace(close, close, ", " + group.size + ")");
    }

    const TokenizedFile& file_;
    const std::vector<Token>& tokens_;
    const Brackets brackets_;
    std::vector<Function> functions_;
    std::map<std::string, std::string, std::less<>> constants_;
    std::vector<Edit> edits_;
};

}  // namespace

std::size_t PlainText::original(std::size_t offset) const {
    std::size_t result = offset;
    for (const Replaced& each : replaced) {
        if (result < each.begin + each.by) break;
        result = result + each.length - each.by;
    }
    return result;
}

std::vector<PlainText> plain_groups(const std::vector<const TokenizedFile*>& files) {
    std::deque<File> all;
    for (const TokenizedFile* file : files) all.emplace_back(*file);
    std::map<Place, std::optional<Group>> known;
    constexpr unsigned kDeepest = 8;  // of functions that hand on their groups
    for (unsigned depth = 0; depth < kDeepest; ++depth) {
        std::map<Place, std::optional<Group>> given;
        for (const File& file : all) file.add_calls(known, given);
        for (const File& file : all) file.remove_others(given, known);
        if (given == known) break;
        known = std::move(given);
    }
    std::vector<PlainText> texts;
    for (File& file : all) texts.push_back(file.written(known));
    return texts;
}

}  // namespace lanework::cudafe
