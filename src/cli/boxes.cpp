// Corners and sizes as decimals: x and x + width must read back as the floats that they were.
#include "src/cli/boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <lanework/error.hpp>
#include <map>

#include "src/core/printable.hpp"

namespace lanework {
namespace {

/// The shortest decimal that is this float, as a double.
double decimal_of(float value) { return Json::parse(fmt::format("{}", value)).get<double>(); }

/// Without digits that only the subtraction made.
double length_between(double from, double to) { return Json::parse(fmt::format("{:.12g}", to - from)).get<double>(); }

constexpr std::string_view kRightBox =
    R"({"image_id": 7, "category_id": 2, "bbox": [x, y, width, height], "score": 0.9})";

/// A value in a message, cut where it is long.
std::string shown(const Json& value) {
    constexpr std::size_t kMost = 60;
    std::string text = value.dump();
    if (text.size() > kMost) text = text.substr(0, kMost) + " …";
    return printable(text);
}

double number_of(const Json& value, std::string_view name) {
    if (!value.is_number()) throw JsonError(fmt::format("{} is {}; a number is right", name, shown(value)));
    return value.get<double>();
}

float float_of(double number, std::string_view name) {
    const auto value = static_cast<float>(number);
    if (!std::isfinite(value)) throw JsonError(fmt::format("{} is beyond float32", name));
    return value;
}

/// The member of the first of these names that there is.
const Json& member_of(const Json& each, std::string_view name, std::string_view other = "") {
    for (const std::string_view own : {other, name})
        if (const auto found = each.find(own); found != each.end()) return *found;
    throw JsonError(fmt::format("{} is missing; {} is right", name, kRightBox));
}

void read_corners(const Json& each, float (&corners)[4]) {
    if (const auto box = each.find("box"); box != each.end()) {
        constexpr std::string_view kNames[] = {"x1", "y1", "x2", "y2"};
        for (std::size_t k = 0; k < 4; ++k) {
            const auto corner = box->find(kNames[k]);
            if (corner == box->end())
                throw JsonError(fmt::format("box has no {}; x1, y1, x2, y2 are right", kNames[k]));
            corners[k] = float_of(number_of(*corner, kNames[k]), kNames[k]);
        }
        return;
    }
    const Json& box = member_of(each, "bbox");
    if (!box.is_array() || box.size() != 4)
        throw JsonError(fmt::format("bbox is not four numbers but {}; [x, y, width, height] are right", shown(box)));
    for (std::size_t k = 0; k < 2; ++k) {
        const double begin = number_of(box[k], "bbox"), length = number_of(box[k + 2], "bbox");
        corners[k] = float_of(begin, "bbox");
        corners[k + 2] = float_of(begin + length, "bbox");
    }
}

std::int32_t label_of(const Json& number) {
    const double value = number_of(number, "category_id");
    if (!(value >= 0 && value < 0x1p31) || value != std::floor(value))
        throw JsonError("category_id is no whole number from 0 to 2147483647");
    return static_cast<std::int32_t>(value);
}

Affine affine_of(const Json& rows) {
    Affine affine;
    if (rows.size() != 2 || rows[0].size() != 3 || rows[1].size() != 3) throw JsonError("to_source is not 2×3 numbers");
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t k = 0; k < 3; ++k) affine.m[row][k] = rows[row][k].get<double>();
    if (affine.m[0][1] != 0 || affine.m[1][0] != 0) throw JsonError("to_source turns the picture; boxes do not turn");
    return affine;
}

Json name_of_picture(const std::string& path) {
    const std::string stem = std::filesystem::path(path).stem().string();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    if (error == std::errc() && end == stem.data() + stem.size() && number >= 0) return Json(number);
    return Json(stem);
}

/// Calls body(); what is wrong with the JSON becomes the file's error, with `place` in it.
template <class Body>
auto reading(const std::string& name, const std::string& place, const Body& body) {
    try {
        return body();
    } catch (const JsonError& error) {
        throw FileError(fmt::format("{}: {}{}", name, place, error.what()));
    }
}

}  // namespace

FoundBoxes parse_boxes(std::string_view text, const std::string& name) {
    const Json list = reading(name, "", [&] { return Json::parse(text); });
    if (!list.is_array()) throw FileError(fmt::format("{}: it is no list of boxes; [{}, …] is right", name, kRightBox));
    FoundBoxes found;
    std::map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < list.size(); ++k)
        reading(name, fmt::format("box {} (the first is 0): ", k), [&] {
            const Json& each = list[k];
            if (!each.is_object()) throw JsonError(fmt::format("it is {}; {} is right", shown(each), kRightBox));
            const auto picture = each.find("image_id");
            const Json called = picture == each.end() ? Json(0) : *picture;
            if (!called.is_integer() && !called.is_string()) throw JsonError("image_id is no whole number and no text");
            const auto [place, is_new] = places.emplace(called.dump(), found.pictures.size());
            if (is_new) found.pictures.push_back(called);
            FoundBox box{.picture = place->second,
                         .score = float_of(number_of(member_of(each, "score", "confidence"), "score"), "score"),
                         .label = label_of(member_of(each, "category_id", "class"))};
            read_corners(each, box.corners);
            found.boxes.push_back(box);
        });
    return found;
}

std::string boxes_to_json(const FoundBoxes& boxes) {
    Json list = Json::array();
    for (const FoundBox& box : boxes.boxes) {
        double corners[4];
        std::ranges::transform(box.corners, corners, decimal_of);
        list.push_back(Json{{"image_id", boxes.pictures[box.picture]},
                            {"category_id", box.label},
                            {"bbox", Json::array({corners[0], corners[1], length_between(corners[0], corners[2]),
                                                  length_between(corners[1], corners[3])})},
                            {"score", decimal_of(box.score)}});
    }
    return json_document(list);
}

SourcePictures parse_pictures(std::string_view text, const std::string& name) {
    return reading(name, "", [&] {
        const Json document = Json::parse(text);
        if (!document.is_object() || !document.contains("pictures"))
            throw JsonError("it is not what `lanework image --json` writes");
        SourcePictures pictures;
        for (const Json& each : document.at("pictures")) {
            if (each.contains("problem")) continue;  // nothing was made of it
            const auto place = each.find("place");
            pictures.names.push_back(place != each.end() ? Json(place->get<std::int64_t>())
                                                         : name_of_picture(each.at("input").get<std::string>()));
            pictures.to_source.push_back(affine_of(each.at("to_source")));
            pictures.sizes.push_back(
                {each.at("from").at("height").get<std::int32_t>(), each.at("from").at("width").get<std::int32_t>()});
        }
        return pictures;
    });
}

}  // namespace lanework
