// Corners and sizes as decimals: x and x + width must read back as the floats that they were.
#include "src/cli/boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <lanework/error.hpp>
#include <map>

namespace lanework {
namespace {

/// The shortest decimal that is this float, as a double.
double decimal_of(float value) { return Json::parse(fmt::format("{}", value)).get<double>(); }

/// Without digits that only the subtraction made.
double length_between(double from, double to) { return Json::parse(fmt::format("{:.12g}", to - from)).get<double>(); }

float finite_float(const Json& number) {
    const auto value = number.get<float>();
    if (!std::isfinite(value)) throw JsonError("a number is beyond float32");
    return value;
}

void read_corners(const Json& each, float (&corners)[4]) {
    if (const auto box = each.find("box"); box != each.end()) {
        constexpr std::string_view kNames[] = {"x1", "y1", "x2", "y2"};
        for (std::size_t k = 0; k < 4; ++k) corners[k] = finite_float(box->at(kNames[k]));
        return;
    }
    const Json& box = each.at("bbox");
    if (box.size() != 4) throw JsonError("bbox is not four numbers");
    for (std::size_t k = 0; k < 2; ++k) {
        corners[k] = finite_float(box[k]);
        corners[k + 2] = finite_float(Json(box[k].get<double>() + box[k + 2].get<double>()));
    }
}

/// The member of the first of these names.
const Json& one_of(const Json& each, std::string_view name, std::string_view other) {
    const auto found = each.find(other);
    return found != each.end() ? *found : each.at(name);
}

std::int32_t label_of(const Json& number) {
    const auto value = number.get<double>();
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
    if (!list.is_array())
        throw FileError(fmt::format(
            "{}: a list of boxes is right: [{{\"image_id\", \"category_id\", \"bbox\", \"score\"}}, …]", name));
    FoundBoxes found;
    std::map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < list.size(); ++k)
        reading(name, fmt::format("box {}: ", k), [&] {
            const Json& each = list[k];
            if (!each.is_object()) throw JsonError("it is no object");
            const auto picture = each.find("image_id");
            const Json called = picture == each.end() ? Json(0) : *picture;
            if (!called.is_integer() && !called.is_string()) throw JsonError("image_id is no whole number and no text");
            const auto [place, is_new] = places.emplace(called.dump(), found.pictures.size());
            if (is_new) found.pictures.push_back(called);
            FoundBox box{.picture = place->second,
                         .score = finite_float(one_of(each, "score", "confidence")),
                         .label = label_of(one_of(each, "category_id", "class"))};
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
            pictures.names.push_back(name_of_picture(each.at("input").get<std::string>()));
            pictures.to_source.push_back(affine_of(each.at("to_source")));
            pictures.sizes.push_back(
                {each.at("from").at("height").get<std::int32_t>(), each.at("from").at("width").get<std::int32_t>()});
        }
        return pictures;
    });
}

}  // namespace lanework
