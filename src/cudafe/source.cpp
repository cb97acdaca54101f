// Places in a file and edits of it.
#include "src/cudafe/source.hpp"

#include <algorithm>

namespace lanework::cudafe {

std::string describe(const Source& source, const MalformedError& error) {
    const std::string_view before = std::string_view(source.text).substr(0, error.offset());
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
    return source.path + ':' + std::to_string(line) + ':' + std::to_string(column) + ": error: " + error.what();
}

std::string Edits::apply(std::string_view text) const {
    std::vector<const Edit*> ordered;
    for (const Edit& edit : edits_) ordered.push_back(&edit);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Edit* a, const Edit* b) { return a->offset < b->offset; });
    std::string result;
    std::size_t copied = 0;
    for (const Edit* edit : ordered) {
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
    result += text.substr(copied);
    return result;
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
