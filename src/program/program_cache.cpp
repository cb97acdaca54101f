// Files in folders named by their content. Every file appears by a rename, so that programs built at the same time
// share what is there and never see a part of it.
#include "src/program/program_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <lanework/error.hpp>

#include "src/core/host.hpp"
#include "src/io/file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMebibyte = 1 << 20;
/// Files take whole blocks.
constexpr std::uint64_t kBlock = 4096;
constexpr std::uint64_t kDefaultMebibytes = 1024;
/// Room is made to this part of the whole, so that it is not made each time.
constexpr double kKeptPart = 0.9;
constexpr const char* kUnfinished = "unfinished";
/// What fits before the files are counted again, and into how much in all. Of processes that write it at one moment the
/// last one counts; that a file is missing in it is made good for when they are counted.
constexpr const char* kRoom = "room";
/// What a process left here that did not end well is removed when it is as old as this.
constexpr auto kAbandoned = std::chrono::hours(24);

std::uint64_t allowed_bytes() {
    const char* const text = std::getenv("LANEWORK_CACHE_MIB");
    char* end = nullptr;
    const unsigned long long mebibytes = text ? std::strtoull(text, &end, 10) : 0;
    return (end && end != text && *end == '\0' ? mebibytes : kDefaultMebibytes) * kMebibyte;
}

/// A new folder below another that is made; empty where that cannot be.
fs::path new_folder(const fs::path& parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    std::string pattern = (parent / "lanework-XXXXXX").string();
    return mkdtemp(pattern.data()) ? fs::path(pattern) : fs::path();
}

/// Sets the time of access, which says what was used last, and leaves the time of change.
void mark_used(const fs::path& file) {
    const timespec times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
    utimensat(AT_FDCWD, file.c_str(), times, 0);
}

struct Kept {
    fs::path file;
    std::uint64_t bytes;
    timespec used;
};

/// Another process has used it, or removed it, since it was listed.
bool was_used_since(const Kept& kept) {
    struct stat about {};
    return lstat(kept.file.c_str(), &about) != 0 || about.st_atim.tv_sec != kept.used.tv_sec ||
           about.st_atim.tv_nsec != kept.used.tv_nsec;
}

std::vector<Kept> list_files(const fs::path& folder) {
    std::vector<Kept> files;
    std::error_code error;
    for (fs::recursive_directory_iterator each(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && each != end; each.increment(error)) {
        struct stat about {};
        if (lstat(each->path().c_str(), &about) != 0 || !S_ISREG(about.st_mode)) continue;
        files.push_back({each->path(), static_cast<std::uint64_t>(about.st_blocks) * 512, about.st_atim});
    }
    return files;
}

void remove_abandoned(const fs::path& folder) {
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (const fs::directory_entry& each : fs::directory_iterator(folder, error)) {
        const auto time = each.last_write_time(error);
        if (!error && now - time > kAbandoned) fs::remove_all(each.path(), error);
    }
}

}  // namespace

ProgramCache::ProgramCache() : most_bytes_(allowed_bytes()) {
    const fs::path own = cache_folder();
    if (!own.empty()) {
        folder_ = own / "programs";
        temporary_ = new_folder(folder_ / kUnfinished);
    }
    if (!temporary_.empty()) {
        remove_abandoned(folder_ / kUnfinished);
        return;
    }
    kept_ = false;
    temporary_ = folder_ = new_folder(temporary_folder());
    if (temporary_.empty())
        throw FileError(fmt::format("there is no folder to build in: {} cannot be made, nor one in {}",
                                    own.empty() ? "~/.cache/lanework" : own.string(), temporary_folder().string()));
}

ProgramCache::~ProgramCache() { clean(); }

void ProgramCache::clean() const {
    std::error_code error;
    fs::remove_all(temporary_, error);
}

fs::path ProgramCache::place(std::string_view kind, const std::string& key, std::string_view name) const {
    return folder_ / kind / key / name;
}

fs::path ProgramCache::find(std::string_view kind, const std::string& key, std::string_view name) const {
    const fs::path file = place(kind, key, name);
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    mark_used(file);
    return file;
}

fs::path ProgramCache::keep(const fs::path& finished, std::string_view kind, const std::string& key,
                            std::string_view name) {
    const fs::path file = place(kind, key, name);
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(finished, error);
    fs::create_directories(file.parent_path(), error);
    mark_used(finished);
    fs::rename(finished, file, error);
    if (error) throw FileError(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
    if (kept_ && !has_room_for(bytes)) make_room();
    return file;
}

void ProgramCache::write(const fs::path& place, std::string_view text) const {
    if (readable_text(place) == text) return mark_used(place);
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    const fs::path temporary = temporary_ / "text";
    std::ofstream stream(temporary, std::ios::binary);
    stream << text;
    stream.close();
    if (stream) fs::rename(temporary, place, error);
    if (!stream || error)
        throw FileError(
            fmt::format("{}: cannot be written: {}", place.string(), error ? error.message() : "the disk is full"));
    if (kept_) has_room_for(text.size());
}

bool ProgramCache::has_room_for(std::uint64_t bytes) const {
    std::uint64_t room = 0, most = 0;
    if (!(std::ifstream(folder_ / kRoom) >> room >> most) || most != most_bytes_) return false;
    const std::uint64_t taken = (bytes / kBlock + 1) * kBlock;
    write_room(room > taken ? room - taken : 0);
    return room > taken;
}

void ProgramCache::write_room(std::uint64_t bytes) const {
    std::ofstream(folder_ / kRoom) << bytes << ' ' << most_bytes_ << '\n';
}

void ProgramCache::make_room() const {
    std::vector<Kept> files = list_files(folder_);
    std::uint64_t all = 0;
    for (const Kept& each : files) all += each.bytes;
    if (all <= most_bytes_) return write_room(most_bytes_ - all);
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) {
        return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
    });
    const auto wanted = static_cast<std::uint64_t>(kKeptPart * static_cast<double>(most_bytes_));
    for (const Kept& each : files) {
        if (all <= wanted) break;
        if (each.file.string().starts_with(temporary_.string()) || was_used_since(each)) continue;
        std::error_code error;
        if (!fs::remove(each.file, error)) continue;
        all -= each.bytes;
        fs::remove(each.file.parent_path(), error);  // where it was the last
    }
    write_room(most_bytes_ - std::min(all, most_bytes_));
}

}  // namespace lanework
