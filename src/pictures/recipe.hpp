// What is done with every picture of a run: operations of <lanework/image.hpp> with their options, one after the other,
// read from the words of a command line.
#pragma once

#include <lanework/image.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanework {

enum class PictureOperation : std::uint8_t { gray, blur, sobel, resize, letterbox, warp, tensor };
std::string_view name_of(PictureOperation operation);
/// What a recipe may be named: the operations in the order of the enumeration, then `edges` and `pipe`, which are
/// several.
std::vector<std::string> picture_recipes();

/// Rows, columns and samples of a pixel.
struct PictureShape {
    std::int64_t height = 0, width = 0;
    int channels = 0;
    std::int64_t samples() const { return height * width * channels; }
    bool operator==(const PictureShape&) const = default;
};

/// Pixels of the output: what is 0 is not stated. One side alone keeps the aspect ratio.
struct WantedSize {
    std::int64_t width = 0, height = 0;
    double factor = 0;  ///< of both sides, instead of them
    bool operator==(const WantedSize&) const = default;
};

/// One operation with its options.
struct PictureStep {
    PictureOperation operation = PictureOperation::gray;
    GrayForm gray = GrayForm::opencv;
    SobelForm sobel = SobelForm::half_sum;
    WantedSize size;
    Convention convention = Convention::opencv;
    /// fit, scale-up and pad of letterbox and tensor; the convention is the one above.
    LetterboxOptions letterbox;
    /// Empty: the value of the operation, for pictures or for video.
    std::vector<float> pad;
    /// Of warp, one of them. `rotate` is in degrees, counter-clockwise about the middle of input and output.
    std::optional<Affine> affine;
    std::optional<double> rotate;
    TensorOptions tensor;
    bool half = false;  ///< tensor: float16 instead of float32
};

/// Steps, each on what the one before made; `tensor` is the last, if it is there.
struct PictureRecipe {
    std::string name;
    std::vector<PictureStep> steps;
};

/// The options as they were typed; empty where they were not.
struct RecipeWords {
    /// A name of picture_recipes().
    std::string operation = {};
    /// Of pipe: its steps, such as `letterbox 640 | tensor --dtype float16`.
    std::string steps = {};
    std::string variant = {}, size = {}, width = {}, height = {}, scale = {}, convention = {}, fit = {}, pad = {},
                affine = {}, rotate = {}, mean = {}, std = {}, dtype = {};
    bool no_scale_up = false, swap = false;
};
/// Where an option's words go; `placeholder` is empty for one that has no value.
struct RecipeOption {
    std::string_view name, placeholder, help;
    std::string RecipeWords::*text = nullptr;
    bool RecipeWords::*flag = nullptr;
    std::vector<PictureOperation> takers;
};
std::span<const RecipeOption> recipe_options();

/// Throws UsageError for what is no value of an option, what the operation does not take, and what is missing.
PictureRecipe parse_recipe(const RecipeWords& words);

bool makes_gray(const PictureStep& step);
/// Whether an array comes out of it instead of a picture.
bool makes_array(const PictureRecipe& recipe);
/// The pad of letterbox and tensor, the border of warp, for pictures of so many channels: where nothing was stated 114
/// and opaque, of warp 0 and transparent; one value is that of all colours.
std::array<float, 4> pad_of(const PictureStep& step, int channels);
/// Whether a gray picture needs colours for what is to become of it: a coloured pad, a tensor.
bool needs_colour(const PictureStep& step);
bool needs_colour(const PictureRecipe& recipe);
/// Whether an alpha channel is kept.
bool keeps_alpha(const PictureRecipe& recipe);
/// The steps that are computed for a picture of so many channels: sobel takes the gray of a colour picture, and gray
/// leaves a gray one as it is.
std::vector<PictureStep> computed_steps(const PictureRecipe& recipe, int channels);

/// What a picture of this shape becomes; of tensor, its planes. Throws FileError, to stand behind the picture's name,
/// where that would have more than kMostPixels.
PictureShape shape_of_output(const PictureStep& step, const PictureShape& in);
PictureShape shape_of_output(const PictureRecipe& recipe, PictureShape in);
/// Of the samples of an output, of tensor its elements.
std::uint64_t output_bytes(const PictureRecipe& recipe, const PictureShape& out);
/// The transform of a warp for these sizes, from the input to the output.
Affine transform_of(const PictureStep& warp, const PictureShape& in, const PictureShape& out);
/// From coordinates in the output to those in the picture that it was made of, both counted from the outer corner of
/// the first pixel, as boxes are.
Affine back_to_source(const PictureRecipe& recipe, PictureShape in);

}  // namespace lanework
