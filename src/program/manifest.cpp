// A line for each file: digest, size, time, path; for one that is not there "- path", for one that only has to be there
// "+ path".
#include "src/program/manifest.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "src/io/file.hpp"
#include "src/program/digest.hpp"

namespace lanework {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

bool look_at(const std::filesystem::path& path, ReadFile& file) {
    struct stat about {};
    if (stat(path.c_str(), &about) != 0) return false;
    file.path = path;
    file.bytes = static_cast<std::uint64_t>(about.st_size);
    file.changed = about.st_mtim.tv_sec * kNanoseconds + about.st_mtim.tv_nsec;
    return true;
}

std::string digest_of(const std::filesystem::path& path) {
    const auto text = readable_text(path);
    return text ? Digest().add(*text).text() : "";
}

/// The text up to the separator; `text` begins behind it then.
std::string_view take(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return part;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<Manifest> Manifest::of(const std::vector<std::filesystem::path>& files, IncludeSearch searched) {
    Manifest manifest;
    manifest.searched_ = std::move(searched);
    for (const std::filesystem::path& path : files) {
        ReadFile file;
        if (!look_at(path, file)) return std::nullopt;
        file.digest = digest_of(path);
        if (file.digest.empty()) return std::nullopt;
        manifest.files_.push_back(std::move(file));
    }
    return manifest;
}

std::optional<Manifest> Manifest::read(std::string_view text) {
    Manifest manifest;
    while (!text.empty()) {
        std::string_view line = take(text, '\n');
        if (line.starts_with("- ") || line.starts_with("+ ")) {
            (line[0] == '-' ? manifest.searched_.absent : manifest.searched_.present).emplace_back(line.substr(2));
            continue;
        }
        ReadFile file;
        file.digest = take(line, ' ');
        if (!read_number(take(line, ' '), file.bytes) || !read_number(take(line, ' '), file.changed))
            return std::nullopt;
        file.path = line;
        manifest.files_.push_back(std::move(file));
    }
    if (manifest.files_.empty()) return std::nullopt;
    return manifest;
}

std::string Manifest::text() const {
    std::string text;
    for (const ReadFile& file : files_)
        text += fmt::format("{} {} {} {}\n", file.digest, file.bytes, file.changed, file.path.string());
    for (const auto& path : searched_.absent) text += fmt::format("- {}\n", path.string());
    for (const auto& path : searched_.present) text += fmt::format("+ {}\n", path.string());
    return text;
}

bool Manifest::holds() const {
    const auto is_there = [](const std::filesystem::path& path) {
        std::error_code error;
        return std::filesystem::exists(path, error);
    };
    if (std::any_of(searched_.absent.begin(), searched_.absent.end(), is_there) ||
        !std::all_of(searched_.present.begin(), searched_.present.end(), is_there))
        return false;
    return std::all_of(files_.begin(), files_.end(), [](const ReadFile& known) {
        ReadFile now;
        if (!look_at(known.path, now) || now.bytes != known.bytes) return false;
        return now.changed == known.changed || digest_of(known.path) == known.digest;
    });
}

std::string Manifest::key() const {
    Digest digest;
    for (const ReadFile& file : files_) digest.add(file.path.string()).add(file.digest);
    // What __has_include finds decides, too.
    for (const auto& path : searched_.present) digest.add(path.string());
    digest.add("");
    for (const auto& path : searched_.absent) digest.add(path.string());
    return digest.text();
}

bool Manifest::changed_since(std::int64_t nanoseconds) const {
    return std::any_of(files_.begin(), files_.end(), [&](const ReadFile& file) { return file.changed >= nanoseconds; });
}

std::int64_t Manifest::now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::vector<std::filesystem::path> files_of_rule(std::string_view rule) {
    std::vector<std::filesystem::path> files;
    std::string word;
    const std::size_t colon = rule.find(": ");
    if (colon == rule.npos) return files;
    const auto end_word = [&] {
        if (!word.empty()) files.emplace_back(word);
        word.clear();
    };
    for (std::size_t i = colon + 2; i < rule.size(); ++i) {
        const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\0';
        if (c == '\\' && next == '\n') {
            ++i;
            end_word();
        } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
            word += next;
            ++i;
        } else if (c == '\n') {
            break;
        } else if (c == ' ') {
            end_word();
        } else {
            word += c;
        }
    }
    end_word();
    return files;
}

}  // namespace lanework
