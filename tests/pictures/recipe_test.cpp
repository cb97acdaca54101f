// Recipes: what is typed becomes what is done, and what cannot be is told.
#include "src/pictures/recipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lanework/error.hpp"
#include "src/pictures/processor.hpp"
#include "tests/devices.hpp"

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
    EXPECT_EQ(shape({.operation = "resize", .values = {{"--width", "640"}}}, {1080, 1920, 3}),
              (PictureShape{360, 640, 3}));
    EXPECT_EQ(shape({.operation = "resize", .values = {{"--height", "360"}}}, {1080, 1920, 4}),
              (PictureShape{360, 640, 4}));
    EXPECT_EQ(shape({.operation = "resize", .values = {{"--width", "1"}}}, {1, 1000, 1}), (PictureShape{1, 1, 1}));
    EXPECT_EQ(shape({.operation = "resize", .values = {{"--size", "9x7"}}}, {100, 1, 1}), (PictureShape{9, 7, 1}));
    EXPECT_EQ(shape({.operation = "resize", .values = {{"--scale", "0.5"}}}, {5, 4, 1}), (PictureShape{3, 2, 1}));
    EXPECT_EQ(shape({.operation = "resize", .values = {{"--scale", "0.001"}}}, {5, 4, 1}), (PictureShape{1, 1, 1}));
}

TEST(Recipe, SaysWhichShapesAnOperationMakes) {
    EXPECT_EQ(shape({.operation = "gray"}, {4, 5, 3}), (PictureShape{4, 5, 1}));
    EXPECT_EQ(shape({.operation = "sobel"}, {4, 5, 1}), (PictureShape{4, 5, 1}));
    EXPECT_EQ(shape({.operation = "blur"}, {4, 5, 4}), (PictureShape{4, 5, 4}));
    EXPECT_EQ(shape({.operation = "letterbox", .values = {{"--size", "6x8"}}}, {4, 5, 4}), (PictureShape{6, 8, 4}));
    EXPECT_EQ(shape({.operation = "warp", .values = {{"--rotate", "3"}}}, {4, 5, 3}), (PictureShape{4, 5, 3}));
    EXPECT_EQ(shape({.operation = "tensor", .values = {{"--size", "6x8"}}}, {4, 5, 1}), (PictureShape{6, 8, 3}));
}

TEST(Recipe, RefusesOutputsOfTooManyPixels) {
    EXPECT_THROW(shape({.operation = "resize", .values = {{"--scale", "1e300"}}}, {4, 5, 3}), FileError);
    EXPECT_THROW(shape({.operation = "resize", .values = {{"--size", "268435456x268435456"}}}, {4, 5, 3}), FileError);
    EXPECT_THROW(shape({.operation = "resize", .values = {{"--width", "100000"}}}, {1000, 1, 3}), FileError);
}

TEST(Recipe, RefusesSizesThatAreNone) {
    for (const char* scale : {"0", "-1", "nan", "inf", "half", ""})
        if (*scale)
            expect_error({.operation = "resize", .values = {{"--scale", scale}}}, "is not a number above 0");
        else
            expect_error({.operation = "resize", .values = {{"--scale", scale}}}, "the size is missing");
    for (const char* size : {"640", "0x5", "5x0", "-1x5", "5x", "x", "5x5x5", "99999999999999999999x5"})
        expect_error({.operation = "resize", .values = {{"--size", size}}},
                     "--size `" + std::string(size) + "` is not a size");
    expect_error({.operation = "resize", .values = {{"--width", "0"}}},
                 "--width `0` is not a number of pixels above 0");
    expect_error({.operation = "resize", .values = {{"--size", "5x5"}, {"--width", "5"}}},
                 "leave --width and --height away");
    expect_error({.operation = "resize", .values = {{"--size", "5x5"}, {"--scale", "2"}}},
                 "--scale states the size by itself");
    expect_error({.operation = "letterbox", .values = {{"--width", "5"}}}, "--size is missing");
    expect_error({.operation = "tensor"}, "--size is missing");
    expect_error({.operation = "warp", .values = {{"--width", "5"}, {"--rotate", "1"}}}, "go together");
}

TEST(Recipe, RefusesWhatAnOperationDoesNotTake) {
    expect_error({.operation = "gray", .values = {{"--size", "5x5"}}},
                 "gray takes no --size; it is for resize, letterbox, warp");
    expect_error({.operation = "blur", .values = {{"--variant", "mean"}}}, "blur takes no --variant");
    expect_error({.operation = "resize", .values = {{"--size", "5x5"}, {"--mean", "1"}}},
                 "takes no --mean; it is for tensor");
    expect_error({.operation = "resize", .values = {{"--size", "5x5"}}, .flags = {{"--no-scale-up", true}}},
                 "takes no --no-scale-up");
    expect_error({.operation = "gray", .values = {{"--variant", "bright"}}}, "one of opencv, weighted, mean, max");
    expect_error({.operation = "warp", .values = {{"--convention", "legacy"}, {"--rotate", "1"}}},
                 "one of opencv, float");
    expect_error({.operation = "letterbox", .values = {{"--size", "5x5"}, {"--fit", "left"}}},
                 "one of centred, top-left, stretch");
    expect_error({.operation = "letterbox",
                  .values = {{"--size", "5x5"}, {"--fit", "stretch"}},
                  .flags = {{"--no-scale-up", true}}},
                 "exclude each other");
    expect_error({.operation = "tensor", .values = {{"--size", "5x5"}, {"--dtype", "int8"}}},
                 "one of float32, float16");
}

TEST(Recipe, RefusesTransformsThatAreNone) {
    expect_error({.operation = "warp"}, "the transform is missing");
    expect_error({.operation = "warp", .values = {{"--affine", "1,0,0,0,1,0"}, {"--rotate", "1"}}}, "one is right");
    expect_error({.operation = "warp", .values = {{"--affine", "1,2,3,2,4,5"}}}, "is singular");
    expect_error({.operation = "warp", .values = {{"--affine", "0,0,0,0,0,0"}}}, "is singular");
    expect_error({.operation = "warp", .values = {{"--affine", "1,0,0,0,1"}}}, "is not six numbers");
    expect_error({.operation = "warp", .values = {{"--affine", "1,0,nan,0,1,0"}}}, "is not six numbers");
    expect_error({.operation = "warp", .values = {{"--rotate", "inf"}}}, "is not an angle in degrees");
}

TEST(Recipe, RefusesNumbersOutOfTheirRange) {
    for (const char* pad : {"256", "-1", "1.5", "1,2", "1,2,3,4,5", "x", "1,"})
        expect_error({.operation = "letterbox", .values = {{"--size", "5x5"}, {"--pad", pad}}},
                     "is not 1, 3 or 4 whole numbers from 0 to 255");
    expect_error({.operation = "tensor", .values = {{"--size", "5x5"}, {"--std", "0"}}}, "is not numbers other than 0");
    expect_error({.operation = "tensor", .values = {{"--size", "5x5"}, {"--std", "1e-60"}}},
                 "is not numbers other than 0");
    expect_error({.operation = "tensor", .values = {{"--size", "5x5"}, {"--mean", "1,2"}}},
                 "is not one number or three");
    expect_error({.operation = "tensor", .values = {{"--size", "5x5"}, {"--scale", "0"}}},
                 "--scale `0` is not a number above 0");
}

/// Samples of the first pixel that a recipe makes of a picture of zeros, 5 wide and 1 high.
std::vector<int> corner(const RecipeWords& words, int channels) {
    const auto device = open_device("cpu");
    SharedDevice shared{*device, {1}};
    PictureProcessor processor(shared, parse_recipe(words));
    const std::vector<std::uint8_t> picture(static_cast<std::size_t>(5 * channels));
    processor.start(ImageView<const std::uint8_t>::tight(picture.data(), 1, 5, channels));
    const std::vector<std::uint8_t> made = processor.finish();
    return {made.begin(), made.begin() + channels};
}

TEST(Recipe, PadsEveryColourAndOpaqueAlpha) {
    const auto pad = [](const std::string& operation, const std::string& text, int channels) {
        return corner(
            {.operation = operation,
             .values = {{"--size", "5x5"}, {"--pad", text}, {"--affine", operation == "warp" ? "1,0,0,0,1,3" : ""}}},
            channels);
    };
    using Pad = std::vector<int>;
    EXPECT_EQ(pad("letterbox", "", 3), (Pad{114, 114, 114}));
    EXPECT_EQ(pad("letterbox", "", 4), (Pad{114, 114, 114, 255}));
    EXPECT_EQ(pad("letterbox", "7", 4), (Pad{7, 7, 7, 255}));
    EXPECT_EQ(pad("letterbox", "1,2,3", 4), (Pad{1, 2, 3, 255}));
    EXPECT_EQ(pad("letterbox", "1,2,3,4", 4), (Pad{1, 2, 3, 4}));
    EXPECT_EQ(pad("letterbox", "1,2,3,4", 3), (Pad{1, 2, 3}));
    EXPECT_EQ(pad("warp", "", 4), (Pad{0, 0, 0, 0}));
    EXPECT_EQ(pad("warp", "9", 4), (Pad{9, 9, 9, 255}));
}

TEST(Recipe, RotatesAboutTheMiddleCounterClockwise) {
    // A quarter turn of 2×3 into 3×2 pixels: the upper right corner comes to lie in the upper left. Pixels by their
    // middles.
    const Affine back = back_to_source(
        parse_recipe({.operation = "warp", .values = {{"--size", "3x2"}, {"--rotate", "90"}}}), {2, 3, 1});
    const auto at = [&](double x, double y) {
        const auto& m = back.m;
        return std::pair{m[0][0] * (x + 0.5) + m[0][1] * (y + 0.5) + m[0][2] - 0.5,
                         m[1][0] * (x + 0.5) + m[1][1] * (y + 0.5) + m[1][2] - 0.5};
    };
    EXPECT_EQ(at(0, 0), (std::pair{2.0, 0.0}));
    EXPECT_EQ(at(0, 2), (std::pair{0.0, 0.0}));
    EXPECT_EQ(at(1, 0), (std::pair{2.0, 1.0}));
    EXPECT_EQ(back_to_source(parse_recipe({.operation = "warp", .values = {{"--rotate", "0"}}}), {2, 3, 1}), Affine{});
}

std::vector<std::string_view> computed(const RecipeWords& words, int channels) {
    std::vector<std::string_view> operations;
    for (const ImageStep& step : computed_steps(parse_recipe(words), channels))
        operations.push_back(step.operation().name);
    return operations;
}

TEST(Recipe, EdgesAreGrayBlurAndSobel) {
    using Names = std::vector<std::string_view>;
    EXPECT_EQ(computed({.operation = "edges"}, 3), (Names{"gray", "blur", "sobel"}));
    EXPECT_EQ(computed({.operation = "edges"}, 1), (Names{"blur", "sobel"}));
    EXPECT_EQ(computed({.operation = "sobel"}, 4), (Names{"gray", "sobel"}));
    EXPECT_EQ(computed({.operation = "gray"}, 1), Names{});
    expect_error({.operation = "edges", .values = {{"--variant", "magnitude"}}}, "image edges takes no --variant");
}

TEST(Recipe, APipeHasOneStepAfterTheOther) {
    const PictureRecipe recipe = parse_recipe(
        {.operation = "pipe", .steps = " resize --width=20 | letterbox 640 --pad 7|tensor --dtype float16 --swap "});
    ASSERT_EQ(recipe.steps.size(), 3U);
    const auto stated = [&](std::size_t step, ImageOptionKind kind) { return recipe.steps[step].option(kind)->offset; };
    EXPECT_EQ(recipe.steps[0].at<WantedSize>(stated(0, ImageOptionKind::size)), (WantedSize{20, 0, 0}));
    EXPECT_EQ(recipe.steps[1].at<WantedSize>(stated(1, ImageOptionKind::size)), (WantedSize{640, 640, 0}));
    EXPECT_EQ(recipe.steps[1].at<WantedColour>(stated(1, ImageOptionKind::colour)).of(1, 0, 0)[0], 7);
    EXPECT_EQ(recipe.steps[2].element(), DType::float16);
    EXPECT_TRUE(recipe.steps[2].at<bool>(
        std::ranges::find(recipe.steps[2].operation().options, "--swap", &ImageOption::word)->offset));
    EXPECT_TRUE(makes_array(recipe));
    EXPECT_EQ(shape_of_output(recipe, {30, 40, 1}), (PictureShape{640, 640, 3}));
    EXPECT_EQ(shape({.operation = "pipe", .steps = "resize 30x40 | resize --scale 0.5 | gray"}, {9, 9, 3}),
              (PictureShape{15, 20, 1}));
}

TEST(Recipe, SaysWhichStepOfAPipeIsWrong) {
    const auto expect_wrong = [](const std::string& steps, const std::string& what) {
        expect_error({.operation = "pipe", .steps = steps}, what);
    };
    for (const char* steps : {"", " ", "|", "blur|", "| blur", "blur || gray"}) expect_wrong(steps, "is empty");
    expect_wrong("blur | sharpen", "operation `sharpen` is not one of gray");
    expect_wrong("blur | pipe", "operation `pipe` is not one of gray");
    expect_wrong("blur 640", "blur takes no --size");
    expect_wrong("resize 5x5 7x7", "`7x7` of the step `resize 5x5 7x7` is no option");
    expect_wrong("resize --sise 5x5", "`--sise` of the step");
    expect_wrong("resize --size", "--size of the step `resize --size` has no value");
    expect_wrong("letterbox 5 --no-scale-up=1", "takes no value");
    expect_wrong("tensor | blur", "--size is missing");
    expect_wrong("tensor 5 | blur", "blur cannot follow tensor");
    expect_wrong("blur | sobel | tensor", "tensor needs colours, and sobel leaves none");
    expect_wrong("gray | letterbox 9 --pad 1,2,3", "--pad needs colours, and gray leaves none");
    expect_error({.operation = "pipe", .steps = "blur", .values = {{"--size", "5x5"}}}, "--size belongs into a step");
}

TEST(Recipe, FindsTheWayBackThroughAllSteps) {
    const auto back = [](const std::string& steps, PictureShape in) {
        return back_to_source(parse_recipe({.operation = "pipe", .steps = steps}), in).m;
    };
    using Rows = decltype(Affine::m);
    EXPECT_EQ(back("gray | blur | sobel", {30, 40, 3}), Affine{}.m);
    EXPECT_EQ(back("resize 60x20", {30, 40, 3}), (Rows{{{2, 0, 0}, {0, 0.5, 0}}}));
    // 30×40 into 80×80: twice as large, 10 rows of pad above.
    EXPECT_EQ(back("letterbox 80", {30, 40, 3}), (Rows{{{0.5, 0, 0}, {0, 0.5, -5}}}));
    EXPECT_EQ(back("letterbox 80 | tensor", {30, 40, 3}), (Rows{{{0.5, 0, 0}, {0, 0.5, -5}}}));
    EXPECT_EQ(back("letterbox 80 | resize 40x40 | tensor 80", {30, 40, 3}), (Rows{{{0.5, 0, 0}, {0, 0.5, -5}}}));
    // A quarter turn of 30×40 into 40×30: the outer corner (0, 0) of the output is the upper right one of the input.
    EXPECT_EQ(back("warp --rotate 90 --size 40x30", {30, 40, 3}), (Rows{{{0, -1, 40}, {1, 0, 0}}}));
}

}  // namespace
}  // namespace lanework::test
