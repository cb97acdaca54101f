// Boxes of pictures in JSON: the list that detection networks' tools write and COCO's evaluation reads.
#pragma once

#include <lanework/detection.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/io/json.hpp"

namespace lanework {

/// Boxes in order of their pictures.
struct FoundBox {
    std::size_t picture = 0;
    float corners[4] = {};  ///< x1 y1 x2 y2
    float score = 0;
    std::int32_t label = 0;
};
struct FoundBoxes {
    std::vector<Json> pictures;  ///< what each is called: a number or a string
    std::vector<FoundBox> boxes;
};

/// Reads [{"image_id": 7, "category_id": 2, "bbox": [x, y, width, height], "score": 0.9}, …]; also what ultralytics
/// exports: "class", "confidence" and "box": {"x1", "y1", "x2", "y2"}. Pictures stand in the order in which they come
/// up; a box without one is of picture 0. Throws FileError that names the file and the box.
FoundBoxes parse_boxes(std::string_view text, const std::string& name);

/// The first of those forms. Corners are the shortest decimals that read back as the same floats.
std::string boxes_to_json(const FoundBoxes& boxes);

/// Pictures that `lanework image --json` or `lanework compute --json` made something of.
struct SourcePictures {
    /// Of a file 000123.jpg the number, as COCO's are; of another its name without extension; of several pictures in an
    /// array their places.
    std::vector<Json> names;
    std::vector<Affine> to_source;
    std::vector<ImageSize> sizes;
};
/// Throws FileError that names the file.
SourcePictures parse_pictures(std::string_view text, const std::string& name);

}  // namespace lanework
