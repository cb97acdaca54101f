// Writes documents; everything else about JSON is nlohmann's.
#include "src/io/json.hpp"

#include <algorithm>

namespace lanework {
namespace {

void append(std::string& text, const Json& json, std::size_t indent) {
    const bool plain =
        json.is_array() && std::ranges::none_of(json, [](const Json& each) { return each.is_structured(); });
    if (!json.is_structured() || plain || json.empty()) {
        text += json_line(json);
        return;
    }
    const std::string line = "\n" + std::string(indent + 1, ' ');
    text += json.is_object() ? '{' : '[';
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        if (!first) text += ',';
        first = false;
        text += line;
        if (json.is_object()) text += json_line(key) + ": ";
        append(text, value, indent + 1);
    }
    text += "\n" + std::string(indent, ' ');
    text += json.is_object() ? '}' : ']';
}

}  // namespace

std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string json_document(const Json& json) {
    std::string text;
    append(text, json, 0);
    return text + '\n';
}

}  // namespace lanework
