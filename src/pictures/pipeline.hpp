// Pictures from files through a device to files: decoding, copies, kernels and encoding of different pictures overlap.
#pragma once

#include <span>

#include "src/core/exit_status.hpp"
#include "src/pictures/picture_files.hpp"
#include "src/pictures/recipe.hpp"

namespace lanework {

/// What became of one picture, in one line, and the exit status that it asks for.
struct PictureOutcome {
    std::string text;
    int status = exit_status::good;

    bool good() const { return status == exit_status::good; }
};

struct PipelineHooks {
    /// Writes a file whole or not at all; called by several threads. Throws FileError.
    std::function<void(const std::filesystem::path&, std::span<const std::span<const std::uint8_t>>)> write;
    /// Called for each picture in the order of the inputs, by one thread at a time.
    std::function<void(const PictureOutcome&)> tell;
};

/// Makes a picture, or an array, of each input. So many threads decode and encode at a time; memory is that of a few
/// more pictures than these. What is written depends on neither. A picture that cannot be read or written is told of,
/// and the others go on.
void run_pictures(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads,
                  const PipelineHooks& hooks);

/// The same with the recipe tensor, into one array of all pictures that can be read, in the order of the inputs, which
/// is held in memory until it is written. Throws MemoryError where it does not fit.
void run_batch(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads,
               const std::filesystem::path& output, const PipelineHooks& hooks);

/// As many threads as there are cores that the program may use.
int usual_threads();

}  // namespace lanework
