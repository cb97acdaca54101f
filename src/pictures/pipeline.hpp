// Pictures from files through a device to files: decoding, copies, kernels and encoding of different pictures overlap.
#pragma once

#include <optional>
#include <span>

#include "src/core/exit_status.hpp"
#include "src/pictures/picture_files.hpp"
#include "src/pictures/recipe.hpp"

namespace lanework {

/// What became of one picture, in one line, and the exit status that it asks for; of a good one what was made of what.
struct PictureOutcome {
    std::string text;
    int status = exit_status::good;
    std::string input = {}, output = {};
    std::optional<std::int64_t> place = {};  ///< among the pictures of an input that has several
    PictureShape from = {}, made = {};
    Affine to_source = {};  ///< back_to_source() of the recipe

    bool good() const { return status == exit_status::good; }
};

struct PipelineHooks {
    /// Writes a file whole or not at all; called by several threads. Throws FileError.
    std::function<void(const std::filesystem::path&, std::span<const std::span<const std::uint8_t>>)> write;
    /// Called for each picture in the order of the inputs, by one thread at a time.
    std::function<void(const PictureOutcome&)> tell;
    /// Pictures are written with the picture that they were made of to their left.
    bool beside = false;
};

/// Makes a picture, or an array, of each input. So many threads decode and encode at a time; memory is that of a few
/// more pictures than these. What is written depends on neither. A picture that cannot be read or written is told of,
/// and the others go on.
void run_pictures(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads,
                  const PipelineHooks& hooks);

/// The same with a recipe that makes arrays, into one array of all pictures that can be read, in the order of the
/// inputs, which is held in memory until it is written. Throws MemoryError where it does not fit, FileError where the
/// pictures become arrays of different sizes.
void run_batch(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads,
               const std::filesystem::path& output, const PipelineHooks& hooks);

/// How coordinates in an output are those of its input, "; back: x' = 2x, y' = 2y - 8"; empty where they are the same.
std::string back_text(const Affine& back);

/// A document of what was made: the files, their sizes, and the way back from coordinates in an output to its input.
std::string outcomes_to_json(const PictureRecipe& recipe, std::span<const PictureOutcome> outcomes);

/// As many threads as there are cores that the program may use.
int usual_threads();

}  // namespace lanework
