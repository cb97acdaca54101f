// Which pictures a run reads and which files it makes of them.
#pragma once

#include <filesystem>
#include <functional>
#include <lanework/error.hpp>
#include <string>
#include <vector>

namespace lanework {

/// One picture to be read and the file that is made of it; empty where all become one.
struct PictureJob {
    std::filesystem::path input, output;
    bool operator==(const PictureJob&) const = default;
};

/// Called with what is wrong with one input; the others go on.
using BadInput = std::function<void(const FileError&)>;

/// The files that words on a command line mean: themselves, the pictures of a folder by name (folders in it left out),
/// and where there is no such file the ones that a pattern of *, ? and [] matches (without folders).
std::vector<std::filesystem::path> find_pictures(const std::vector<std::string>& words, const BadInput& bad);

/// Two files that are to be compared; one is empty where a folder has no counterpart of the other.
struct PicturePair {
    std::filesystem::path first, second;
    bool operator==(const PicturePair&) const = default;
};
/// Two files, or the pictures of two folders by name. Throws UsageError for a file and a folder, FileError for a folder
/// without pictures.
std::vector<PicturePair> pair_pictures(const std::filesystem::path& first, const std::filesystem::path& second);

/// What the files of a run are named: pictures keep their names in a folder, one whose extension cannot be written
/// becomes a PNG; arrays end in .npy.
enum class OutputKind { pictures, arrays };

/// A file or folder for what is made of the words. A folder is needed for several pictures; several arrays can also be
/// one file. Throws UsageError where that does not fit, where an output would replace an input or another output,
/// FileError where it cannot be written.
std::vector<PictureJob> plan_pictures(const std::vector<std::string>& words, const std::string& output, OutputKind kind,
                                      const BadInput& bad);
/// Whether all become the one file of this name.
bool is_batch(const std::vector<std::string>& words, const std::string& output, OutputKind kind);

}  // namespace lanework
