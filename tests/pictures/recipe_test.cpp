// Recipes: what is typed becomes what is done, and what cannot be is told.
#include "src/pictures/recipe.hpp"

#include <gtest/gtest.h>

namespace lanework::test {
namespace {

std::string error_of(const RecipeWords& words) {
    try {
        parse_recipe(words);
        return "";
    } catch (const UsageError& error) {
        return error.what();
    }
}

void expect_error(const RecipeWords& words, const std::string& what) {
    const std::string error = error_of(words);
    EXPECT_NE(error.find(what), std::string::npos) << "not \"" << what << "\": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

PictureShape shape(const RecipeWords& words, PictureShape in) { return shape_of_output(parse_recipe(words), in); }

TEST(Recipe, KeepsTheAspectRatioWhereOneSideIsStated) {
    EXPECT_EQ(shape({.operation = "resize", .width = "640"}, {1080, 1920, 3}), (PictureShape{360, 640, 3}));
    EXPECT_EQ(shape({.operation = "resize", .height = "360"}, {1080, 1920, 4}), (PictureShape{360, 640, 4}));
    EXPECT_EQ(shape({.operation = "resize", .width = "1"}, {1, 1000, 1}), (PictureShape{1, 1, 1}));
    EXPECT_EQ(shape({.operation = "resize", .size = "7x9"}, {100, 1, 1}), (PictureShape{9, 7, 1}));
    EXPECT_EQ(shape({.operation = "resize", .scale = "0.5"}, {5, 4, 1}), (PictureShape{3, 2, 1}));
    EXPECT_EQ(shape({.operation = "resize", .scale = "0.001"}, {5, 4, 1}), (PictureShape{1, 1, 1}));
}

TEST(Recipe, SaysWhichShapesAnOperationMakes) {
    EXPECT_EQ(shape({.operation = "gray"}, {4, 5, 3}), (PictureShape{4, 5, 1}));
    EXPECT_EQ(shape({.operation = "sobel"}, {4, 5, 1}), (PictureShape{4, 5, 1}));
    EXPECT_EQ(shape({.operation = "blur"}, {4, 5, 4}), (PictureShape{4, 5, 4}));
    EXPECT_EQ(shape({.operation = "letterbox", .size = "8x6"}, {4, 5, 4}), (PictureShape{6, 8, 4}));
    EXPECT_EQ(shape({.operation = "warp", .rotate = "3"}, {4, 5, 3}), (PictureShape{4, 5, 3}));
    EXPECT_EQ(shape({.operation = "tensor", .size = "8x6"}, {4, 5, 1}), (PictureShape{6, 8, 3}));
}

TEST(Recipe, RefusesOutputsOfTooManyPixels) {
    EXPECT_THROW(shape({.operation = "resize", .scale = "1e300"}, {4, 5, 3}), FileError);
    EXPECT_THROW(shape({.operation = "resize", .size = "268435456x268435456"}, {4, 5, 3}), FileError);
    EXPECT_THROW(shape({.operation = "resize", .width = "100000"}, {1000, 1, 3}), FileError);
}

TEST(Recipe, RefusesSizesThatAreNone) {
    for (const char* scale : {"0", "-1", "nan", "inf", "half", ""})
        if (*scale)
            expect_error({.operation = "resize", .scale = scale}, "is not a number above 0");
        else
            expect_error({.operation = "resize", .scale = scale}, "the size is missing");
    for (const char* size : {"640", "0x5", "5x0", "-1x5", "5x", "x", "5x5x5", "99999999999999999999x5"})
        expect_error({.operation = "resize", .size = size}, "--size `" + std::string(size) + "` is not a size");
    expect_error({.operation = "resize", .width = "0"}, "--width `0` is not a number of pixels above 0");
    expect_error({.operation = "resize", .size = "5x5", .width = "5"}, "leave --width and --height away");
    expect_error({.operation = "resize", .size = "5x5", .scale = "2"}, "--scale states the size by itself");
    expect_error({.operation = "letterbox", .width = "5"}, "--size is missing");
    expect_error({.operation = "tensor"}, "--size is missing");
    expect_error({.operation = "warp", .width = "5", .rotate = "1"}, "go together");
}

TEST(Recipe, RefusesWhatAnOperationDoesNotTake) {
    expect_error({.operation = "gray", .size = "5x5"}, "image gray takes no --size; it is for resize, letterbox, warp");
    expect_error({.operation = "blur", .variant = "mean"}, "image blur takes no --variant");
    expect_error({.operation = "resize", .size = "5x5", .mean = "1"}, "takes no --mean; it is for tensor");
    expect_error({.operation = "resize", .size = "5x5", .no_scale_up = true}, "takes no --no-scale-up");
    expect_error({.operation = "gray", .variant = "bright"}, "one of opencv, weighted, mean, max");
    expect_error({.operation = "warp", .convention = "legacy", .rotate = "1"}, "one of opencv, float");
    expect_error({.operation = "letterbox", .size = "5x5", .fit = "left"}, "one of centred, top-left, stretch");
    expect_error({.operation = "letterbox", .size = "5x5", .fit = "stretch", .no_scale_up = true},
                 "exclude each other");
    expect_error({.operation = "tensor", .size = "5x5", .dtype = "int8"}, "one of float32, float16");
}

TEST(Recipe, RefusesTransformsThatAreNone) {
    expect_error({.operation = "warp"}, "the transform is missing");
    expect_error({.operation = "warp", .affine = "1,0,0,0,1,0", .rotate = "1"}, "one is right");
    expect_error({.operation = "warp", .affine = "1,2,3,2,4,5"}, "is singular");
    expect_error({.operation = "warp", .affine = "0,0,0,0,0,0"}, "is singular");
    expect_error({.operation = "warp", .affine = "1,0,0,0,1"}, "is not six numbers");
    expect_error({.operation = "warp", .affine = "1,0,nan,0,1,0"}, "is not six numbers");
    expect_error({.operation = "warp", .rotate = "inf"}, "is not an angle in degrees");
}

TEST(Recipe, RefusesNumbersOutOfTheirRange) {
    for (const char* pad : {"256", "-1", "1.5", "1,2", "1,2,3,4,5", "x", "1,"})
        expect_error({.operation = "letterbox", .size = "5x5", .pad = pad},
                     "is not 1, 3 or 4 whole numbers from 0 to 255");
    expect_error({.operation = "tensor", .size = "5x5", .std = "0"}, "is not numbers other than 0");
    expect_error({.operation = "tensor", .size = "5x5", .std = "1e-60"}, "is not numbers other than 0");
    expect_error({.operation = "tensor", .size = "5x5", .mean = "1,2"}, "is not one number or three");
    expect_error({.operation = "tensor", .size = "5x5", .scale = "0"}, "--scale `0` is not a number above 0");
}

TEST(Recipe, PadsEveryColourAndOpaqueAlpha) {
    const auto pad = [](const std::string& operation, const std::string& text, int channels) {
        return pad_of(
            parse_recipe(
                {.operation = operation, .size = "5x5", .pad = text, .rotate = operation == "warp" ? "1" : ""}),
            channels);
    };
    using Pad = std::array<float, 4>;
    EXPECT_EQ(pad("letterbox", "", 3), (Pad{114, 114, 114, 0}));
    EXPECT_EQ(pad("letterbox", "", 4), (Pad{114, 114, 114, 255}));
    EXPECT_EQ(pad("letterbox", "7", 4), (Pad{7, 7, 7, 255}));
    EXPECT_EQ(pad("letterbox", "1,2,3", 4), (Pad{1, 2, 3, 255}));
    EXPECT_EQ(pad("letterbox", "1,2,3,4", 4), (Pad{1, 2, 3, 4}));
    EXPECT_EQ(pad("warp", "", 4), (Pad{0, 0, 0, 0}));
    EXPECT_EQ(pad("warp", "9", 4), (Pad{9, 9, 9, 255}));
}

TEST(Recipe, RotatesAboutTheMiddleCounterClockwise) {
    // A quarter turn of 2×3 into 3×2: the upper right corner comes to lie in the upper left.
    const PictureRecipe quarter = parse_recipe({.operation = "warp", .size = "2x3", .rotate = "90"});
    const Affine m = transform_of(quarter, {2, 3, 1}, {3, 2, 1});
    const auto at = [&](double x, double y) {
        return std::pair{m.m[0][0] * x + m.m[0][1] * y + m.m[0][2], m.m[1][0] * x + m.m[1][1] * y + m.m[1][2]};
    };
    EXPECT_EQ(at(2, 0), (std::pair{0.0, 0.0}));
    EXPECT_EQ(at(0, 0), (std::pair{0.0, 2.0}));
    EXPECT_EQ(at(2, 1), (std::pair{1.0, 0.0}));
    const PictureRecipe none = parse_recipe({.operation = "warp", .rotate = "0"});
    EXPECT_EQ(transform_of(none, {2, 3, 1}, {2, 3, 1}), Affine{});
}

}  // namespace
}  // namespace lanework::test
