// A look at lines and braces, from the line upwards: no parser.
#include "src/trace/record/unrolled_loops.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lanework {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find("//")); }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where a loop's keyword stands in the line; npos where there is none.
std::size_t loop_in(std::string_view line) {
    for (const std::string_view word : {"for", "while"})
        for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
            const std::string_view behind = trimmed(line.substr(at + word.size()));
            if ((at == 0 || !is_word(line[at - 1])) && behind.starts_with('(')) return at;
        }
    return line.npos;
}

/// A number, or a name as constants have.
bool is_constant(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || !std::ranges::all_of(text, is_word)) return false;
    if (std::isdigit(static_cast<unsigned char>(text[0])) != 0) return true;
    if (text.size() > 1 && text[0] == 'k' && std::isupper(static_cast<unsigned char>(text[1])) != 0) return true;
    return std::ranges::none_of(text, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

/// "for (int k = 0; k < kRing; ++k)": from a constant to a constant.
bool counts_constants(std::string_view header) {
    const auto open = header.find('('), first = header.find(';'), second = header.find(';', first + 1);
    if (open == header.npos || first == header.npos || second == header.npos) return false;
    const std::string_view begin = header.substr(open + 1, first - open - 1),
                           end = header.substr(first + 1, second - first - 1);
    const auto assigned = begin.find('='), compared = end.find_first_of("<>!");
    if (assigned == begin.npos || compared == end.npos) return false;
    std::string_view bound = end.substr(compared + 1);
    if (bound.starts_with('=')) bound.remove_prefix(1);
    return is_constant(begin.substr(assigned + 1)) && is_constant(bound);
}

/// What stands above a loop, behind comments and empty lines.
bool is_asked_to_unroll(std::span<const std::string_view> lines, std::size_t loop) {
    while (loop-- > 0) {
        const std::string_view above = trimmed(without_comment(lines[loop]));
        if (above.empty()) continue;
        const auto unroll = above.find("unroll");
        if (!above.starts_with('#') || unroll == above.npos) return false;
        const std::string_view times = trimmed(above.substr(unroll + std::string_view("unroll").size()));
        return times != "1" && times != "(1)";
    }
    return false;
}

}  // namespace

bool is_in_unrolled_loop(std::string_view text, int line) {
    const std::vector<std::string_view> lines = lines_of(text);
    if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return false;
    const auto judge = [&](std::size_t at) {
        return is_asked_to_unroll(lines, at) || counts_constants(without_comment(lines[at]).substr(loop_in(lines[at])));
    };
    // On the line itself; else the first loop above whose braces are open here, or that ends where the line begins.
    auto at = static_cast<std::size_t>(line) - 1;
    if (loop_in(without_comment(lines[at])) != std::string_view::npos) return judge(at);
    int depth = 0;  // blocks that are closed between there and here
    bool directly_above = true;
    while (at-- > 0) {
        const std::string_view above = without_comment(lines[at]);
        for (auto c = above.rbegin(); c != above.rend(); ++c) depth += *c == '}' ? 1 : *c == '{' ? -1 : 0;
        const bool is_loop = loop_in(above) != above.npos;
        const bool braceless = is_loop && directly_above && above.find('{') == above.npos;
        if (is_loop && (depth < 0 || braceless)) return judge(at);
        if (depth < 0 && !above.empty() && above.front() != ' ') return false;  // the function begins
        if (depth < 0) depth = 0;                                               // an if: its block is left
        if (!trimmed(above).empty()) directly_above = directly_above && trimmed(above).back() != ';' && !is_loop;
    }
    return false;
}

bool is_in_unrolled_loop_of(const std::string& project_file, int line) {
    static std::map<std::string, std::string>& texts = *new std::map<std::string, std::string>;
    const auto [found, added] = texts.try_emplace(project_file);
    if (added)
        for (const std::string& path : {LANEWORK_SOURCE_DIR + ("/" + project_file), project_file}) {
            std::ifstream file(path);
            found->second.assign(std::istreambuf_iterator<char>(file), {});
            if (!found->second.empty()) break;
        }
    return is_in_unrolled_loop(found->second, line);
}

}  // namespace lanework
