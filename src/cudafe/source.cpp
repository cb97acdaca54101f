// Places in a file and edits of it.
#include "src/cudafe/source.hpp"

#include <algorithm>

namespace lanework::cudafe {

std::size_t column_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t start = before.rfind('\n');
    return start == before.npos ? before.size() + 1 : before.size() - start;
}

std::string describe(const Source& source, const MalformedError& error) {
    const std::string_view before = std::string_view(source.text).substr(0, error.offset());
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = column_of(source.text, error.offset());
    return source.path + ':' + std::to_string(line) + ':' + std::to_string(column) + ": error: " + error.what();
}

std::string Edits::piece(std::string_view text, std::size_t begin, std::size_t end, const Ordered& edits,
                         bool second_copy) {
    std::string result;
    std::size_t copied = begin;
    for (const Edit* edit : edits) {
        if (second_copy && edit->first_copy) continue;
        if (edit->offset < copied)
            throw MalformedError(edit->offset,
                                 "this is part of two launches or declarations: expected one to end before");
        result += text.substr(copied, edit->offset - copied);
        result += edit->inserted;
        // A word may be split over lines by a backslash; its lines stay when it goes.
        const std::string_view gone = text.substr(edit->offset, edit->removed);
        for (auto lines = std::count(gone.begin(), gone.end(), '\n'); lines > 0; --lines) result += "\\\n";
        copied = edit->offset + edit->removed;
    }
    if (copied < end) result += text.substr(copied, end - copied);
    return result;
}

std::string Edits::apply(std::string_view text) const {
    Ordered ordered;
    for (const Edit& edit : edits_) ordered.push_back(&edit);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Edit* a, const Edit* b) { return a->offset < b->offset; });
    std::vector<Repeat> repeats = repeats_;
    std::sort(repeats.begin(), repeats.end(), [](const Repeat& a, const Repeat& b) { return a.begin < b.begin; });
    auto edit = ordered.begin();
    /// The edits before an offset, and those that only insert right there.
    const auto take = [&](std::size_t end, bool with_end) {
        const auto first = edit;
        while (edit != ordered.end() &&
               ((*edit)->offset < end || (with_end && (*edit)->offset == end && (*edit)->removed == 0)))
            ++edit;
        return Ordered(first, edit);
    };
    std::string result;
    std::size_t at = 0;
    for (const Repeat& repeat : repeats) {
        result += piece(text, at, repeat.begin, take(repeat.begin, false), false);
        const Ordered within = take(repeat.end, true);
        result += repeat.before + piece(text, repeat.begin, repeat.end, within, false);
        result += repeat.between + piece(text, repeat.begin, repeat.end, within, true) + repeat.behind;
        at = repeat.end;
    }
    return result + piece(text, at, text.size(), Ordered(edit, ordered.end()), false);
}

std::string string_literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

}  // namespace lanework::cudafe
