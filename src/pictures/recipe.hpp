// What is done with every picture of a run: operations on images with their options, one after the other, read from the
// words of a command line.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/pixels/image_operation.hpp"

namespace lanework {

/// What a recipe may be named, with a few words about each: an operation, several that have a name of their own
/// (`edges`), and `pipe`, which are those that the user says.
std::vector<std::string> picture_recipes();
std::string picture_recipes_help();

/// Steps, each on what the one before made; one that does not make bytes is the last.
struct PictureRecipe {
    std::string name;
    std::vector<ImageStep> steps;
};

/// The options as they were typed.
struct RecipeWords {
    /// A name of picture_recipes().
    std::string operation = {};
    /// Of pipe: its steps, such as `letterbox 640 | tensor --dtype float16`.
    std::string steps = {};
    /// By the options' words; an empty value, and a flag that is false, is as none.
    std::map<std::string, std::string, std::less<>> values = {};
    std::map<std::string, bool, std::less<>> flags = {};
};
/// An option of one operation or of several; `placeholder` is empty for a flag, which has no value.
struct RecipeOption {
    std::string word, placeholder, help;
    bool is_flag = false;
    std::vector<const ImageOperation*> takers;
};
std::span<const RecipeOption> recipe_options();

/// Throws UsageError for what is no value of an option, what the operation does not take, and what is missing.
PictureRecipe parse_recipe(const RecipeWords& words);

bool makes_gray(const ImageStep& step);
/// Whether numbers come out of it that are no bytes of a picture: an array, derivatives.
bool makes_array(const PictureRecipe& recipe);
/// Whether what comes out is a network's input, whose channels are planes.
bool makes_planes(const PictureRecipe& recipe);
/// Whether a gray picture needs colours for what is to become of it: a coloured pad, an array.
bool needs_colour(const ImageStep& step);
bool needs_colour(const PictureRecipe& recipe);
/// Whether an alpha channel is kept.
bool keeps_alpha(const PictureRecipe& recipe);
/// The steps that are computed for a picture of so many channels: some take the gray of a colour picture first, and
/// gray leaves a gray one as it is.
std::vector<ImageStep> computed_steps(const PictureRecipe& recipe, int channels);

/// What a picture of this shape becomes; of an array, its planes. Throws FileError, to stand behind the picture's name,
/// where that would have more than kMostPixels.
PictureShape shape_of_output(const ImageStep& step, const PictureShape& in);
PictureShape shape_of_output(const PictureRecipe& recipe, PictureShape in);
/// Of the samples of an output, of an array its elements.
std::uint64_t output_bytes(const PictureRecipe& recipe, const PictureShape& out);
/// From coordinates in the output to those in the picture that it was made of, both counted from the outer corner of
/// the first pixel, as boxes are.
Affine back_to_source(const PictureRecipe& recipe, PictureShape in);

}  // namespace lanework
