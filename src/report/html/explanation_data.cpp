// What a page shows of explanations: as much of their JSON as it reads, and their pictures packed, which are most of
// it.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <string_view>

#include "src/io/json.hpp"
#include "src/report/html/report.hpp"

namespace lanework {
namespace {

/// Members of an object whose name is one of these, or is none of them.
Json members(const Json& object, std::initializer_list<std::string_view> names, bool wanted) {
    if (!object.is_object()) return object;
    Json chosen = Json::object();
    for (const auto& [name, value] : object.items())
        if ((std::ranges::find(names, name) != names.end()) == wanted) chosen[name] = value;
    return chosen;
}

/// Counters that say something.
Json telling(const Json& counters) {
    if (!counters.is_object()) return counters;
    Json chosen = Json::object();
    for (const auto& [name, counter] : counters.items()) {
        if (!counter.is_object() || counter.find("value") == counter.end()) continue;
        const Json& value = counter["value"];
        if (value.is_number() && value.get<double>() != 0) chosen[name] = counter;
    }
    return chosen;
}

bool is_shown(const Json& picture) {
    return picture.is_object() && picture.contains("file") && picture["file"].is_string() && picture.contains("svg") &&
           picture["svg"].is_string() && !picture["file"].get<std::string>().ends_with("-roofline.svg");
}

/// The page draws rooflines itself.
std::vector<Json> shown_pictures(const Json& explanation) {
    std::vector<Json> shown;
    if (explanation.contains("pictures") && explanation["pictures"].is_array())
        for (const Json& picture : explanation["pictures"])
            if (is_shown(picture)) shown.push_back(picture);
    return shown;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (i < here ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += digit <= here ? kDigits[bits >> (18 - 6 * digit) & 63U] : '=';
    }
    return text;
}

/// RFC 1950, which browsers unpack as "deflate".
std::string deflated(std::string_view text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string packed(size, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9);
    if (status != Z_OK) throw std::bad_alloc();
    packed.resize(size);
    return packed;
}

}  // namespace

std::string explanation_data(const std::string& explanation) {
    const Json whole = Json::parse(explanation);
    Json data =
        members(whole, {"samples_s", "hot_samples_s", "limit", "pictures", "kernels", "counters", "estimate"}, false);
    if (whole.contains("estimate"))
        data["estimate"] =
            members(whole["estimate"], {"gpu", "size", "time_s", "low_s", "high_s", "bound", "limit_s"}, true);
    if (whole.contains("counters")) data["counters"] = telling(whole["counters"]);
    data["kernels"] = Json::array();
    if (whole.contains("kernels"))
        for (const Json& kernel : whole["kernels"])
            data["kernels"].push_back(members(kernel, {"kernel", "grid", "block", "lines"}, true));
    data["pictures"] = Json::array();
    for (const Json& picture : shown_pictures(whole)) data["pictures"].push_back(picture["file"]);
    return json_line(data);
}

std::string packed_pictures(const Report& report) {
    Json all = Json::array();
    bool any = false;
    for (const std::string& explanation : report.explanations) {
        Json svgs = Json::array();
        for (const Json& picture : shown_pictures(Json::parse(explanation))) svgs.push_back(picture["svg"]);
        any = any || !svgs.empty();
        all.push_back(std::move(svgs));
    }
    return any ? base64(deflated(json_line(all))) : std::string();
}

}  // namespace lanework
