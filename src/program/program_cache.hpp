// What was built of programs, kept by its content: translations, objects and executables below
// $XDG_CACHE_HOME/lanework/programs, at most so many bytes, the least recently used dropped first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

class ProgramCache {
public:
    /// Opens the user's cache, or where there is none a folder that goes with this object. Bytes: the variable
    /// LANEWORK_CACHE_MIB, or else 1 GiB.
    ProgramCache();
    ~ProgramCache();
    ProgramCache(const ProgramCache&) = delete;
    ProgramCache& operator=(const ProgramCache&) = delete;

    /// Whether what is built outlives this object.
    bool kept() const { return kept_; }
    const std::filesystem::path& folder() const { return folder_; }
    /// A folder for unfinished files, on the same file system; it goes with this object.
    const std::filesystem::path& temporary() const { return temporary_; }
    /// Removes what goes with this object; for a process that ends another way.
    void clean() const;

    /// Where a file of this kind and key lies, whether it is there or not: FOLDER/kind/key/name.
    std::filesystem::path place(std::string_view kind, const std::string& key, std::string_view name) const;
    /// The file, marked as used now; empty where it is not there.
    std::filesystem::path find(std::string_view kind, const std::string& key, std::string_view name) const;
    /// Moves a finished file of temporary() to its place, and makes room. Throws FileError.
    std::filesystem::path keep(const std::filesystem::path& finished, std::string_view kind, const std::string& key,
                               std::string_view name);
    /// Writes a text to its place, whole, unless it is there already: then its time stays.
    void write(const std::filesystem::path& place, std::string_view text) const;

    std::uint64_t most_bytes() const { return most_bytes_; }

private:
    /// Counts so many bytes more; whether they fit without looking at every file.
    bool has_room_for(std::uint64_t bytes) const;
    void make_room() const;
    void write_room(std::uint64_t bytes) const;

    std::filesystem::path folder_, temporary_;
    bool kept_ = true;
    std::uint64_t most_bytes_;
};

}  // namespace lanework
