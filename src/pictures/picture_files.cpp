// Folders and patterns become lists of files, and each gets an output that harms none of them.
#include "src/pictures/picture_files.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <lanework/image_file.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "src/io/file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pictures_in(const fs::path& folder) {
    std::vector<fs::path> pictures;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
        if (entry.is_regular_file(code) && has_image_extension(entry.path())) pictures.push_back(entry.path());
    if (code) throw FileError(fmt::format("{}: the folder cannot be read: {}", folder.string(), code.message()));
    if (pictures.empty()) throw FileError(fmt::format("{}: there are no pictures in this folder", folder.string()));
    std::sort(pictures.begin(), pictures.end());
    return pictures;
}

bool is_pattern(const std::string& word) {
    std::error_code code;
    return word.find_first_of("*?[") != word.npos && !fs::exists(word, code);
}

std::vector<fs::path> matches_of(const std::string& pattern) {
    glob_t found{};
    const int error = ::glob(pattern.c_str(), 0, nullptr, &found);
    std::vector<fs::path> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    // As of a folder: what an earlier run wrote into one beside the inputs is no input of the next.
    const auto is_folder = [](const fs::path& path) {
        std::error_code code;
        return fs::is_directory(path, code);
    };
    if (!std::ranges::all_of(files, is_folder)) std::erase_if(files, is_folder);
    if (error == GLOB_NOMATCH) throw FileError(fmt::format("{}: no file is named like this", pattern));
    if (error != 0) throw FileError(fmt::format("{}: the folder cannot be read", pattern));
    return files;
}

fs::path name_in(const fs::path& folder, const fs::path& input, OutputKind kind) {
    fs::path name = input.filename();
    if (kind == OutputKind::arrays)
        name.replace_extension(".npy");
    else if (!has_image_extension(name))
        name += ".png";
    return folder / name;
}

bool is_array_name(const fs::path& path) { return path.extension() == ".npy"; }

bool means_several(const std::vector<std::string>& words) {
    return words.size() > 1 || is_pattern(words.front()) || fs::is_directory(words.front());
}

bool is_folder_name(const fs::path& output) { return fs::is_directory(output) || output.filename().empty(); }

void require_array_writable(const fs::path& path) {
    if (!is_array_name(path))
        throw UsageError(
            fmt::format("{}: an array's name must end in .npy; name a folder as in -o tensors/ for a "
                        "file of each picture",
                        path.string()));
    require_writable(path);
}

/// What tells two files apart, however they are named: the disk and the number on it; none where there is no file.
using FileIdentity = std::pair<dev_t, ino_t>;
std::optional<FileIdentity> identity_of(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileIdentity(status.st_dev, status.st_ino);
}

std::set<FileIdentity> identities_of_inputs(const std::vector<PictureJob>& jobs) {
    std::set<FileIdentity> identities;
    for (const PictureJob& job : jobs)
        if (const auto identity = identity_of(job.input)) identities.insert(*identity);
    return identities;
}

void check_outputs(const std::vector<PictureJob>& jobs, OutputKind kind) {
    const std::set<FileIdentity> inputs = identities_of_inputs(jobs);
    std::set<fs::path> outputs;
    for (const PictureJob& job : jobs) {
        if (const auto replaced = identity_of(job.output); replaced && inputs.contains(*replaced))
            throw UsageError(
                fmt::format("{} is an input and would be overwritten; name another output", job.output.string()));
        if (!outputs.insert(fs::weakly_canonical(job.output)).second)
            throw UsageError(fmt::format("two inputs would be written to {}; write them to folders of their own",
                                         job.output.string()));
        if (kind == OutputKind::arrays)
            require_array_writable(job.output);
        else
            require_image_writable(job.output);
    }
}

}  // namespace

std::vector<fs::path> find_pictures(const std::vector<std::string>& words, const BadInput& bad) {
    std::vector<fs::path> pictures;
    for (const std::string& word : words) {
        try {
            const std::vector<fs::path> found = fs::is_directory(word) ? pictures_in(word)
                                                : is_pattern(word)     ? matches_of(word)
                                                                       : std::vector<fs::path>{word};
            pictures.insert(pictures.end(), found.begin(), found.end());
        } catch (const FileError& error) {
            bad(error);
        }
    }
    return pictures;
}

std::vector<PicturePair> pair_pictures(const fs::path& first, const fs::path& second) {
    const bool folders = fs::is_directory(first);
    if (folders != fs::is_directory(second))
        throw UsageError(fmt::format("{} is a folder and {} is not; compare two files or two folders",
                                     (folders ? first : second).string(), (folders ? second : first).string()));
    if (!folders) return {{first, second}};
    std::map<fs::path, PicturePair> pairs;
    for (const fs::path& picture : pictures_in(first)) pairs[picture.filename()].first = picture;
    for (const fs::path& picture : pictures_in(second)) pairs[picture.filename()].second = picture;
    std::vector<PicturePair> list;
    for (auto& [name, pair] : pairs) list.push_back(std::move(pair));
    return list;
}

bool is_batch(const std::vector<std::string>& words, const std::string& output, OutputKind kind) {
    return kind == OutputKind::arrays && means_several(words) && !is_folder_name(output);
}

std::vector<PictureJob> plan_pictures(const std::vector<std::string>& words, const std::string& output, OutputKind kind,
                                      const BadInput& bad) {
    const bool batch = is_batch(words, output, kind),
               folder = !batch && (is_folder_name(output) || means_several(words));
    if (folder && !fs::is_directory(output) && (fs::exists(output) || has_image_extension(output)))
        throw UsageError(fmt::format("-o {}: several pictures need a folder, such as -o edges/", output));
    if (batch) require_array_writable(output);
    std::vector<PictureJob> jobs;
    for (const fs::path& input : find_pictures(words, bad))
        jobs.push_back({input, batch ? fs::path() : folder ? name_in(output, input, kind) : fs::path(output)});
    if (!batch) check_outputs(jobs, kind);
    return jobs;
}

}  // namespace lanework
