// Reading and replacing whole files through the operating system's calls, whose error text reaches the user.
#include "src/io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <lanework/error.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestFile = std::int64_t{1} << 31;

std::string error_text(int code) { return std::generic_category().message(code); }

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw FileError(fmt::format("{}: {}", path.string(), what));
}

/// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    int get() const { return value_; }
    /// Closes it now; false when the system only then found that data was lost.
    bool close() { return ::close(std::exchange(value_, -1)) == 0; }

private:
    int value_;
};

void write_all(int descriptor, const fs::path& path, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail(path, fmt::format("cannot be written: {}", error_text(errno)));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

/// A new file beside its target under a hidden name of its own; removed again unless it takes the target's name.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target)
        : target_(target), path_(unused_name(target)), descriptor_(create(path_)) {
        if (descriptor_.get() < 0) fail(target_, fmt::format("cannot be written: {}", error_text(errno)));
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!renamed_ && descriptor_was_opened_) ::unlink(path_.c_str());
    }

    void write(std::span<const std::uint8_t> bytes) { write_all(descriptor_.get(), target_, bytes); }
    void take_target_name() {
        if (!descriptor_.close() || ::rename(path_.c_str(), target_.c_str()) != 0)
            fail(target_, fmt::format("cannot be written: {}", error_text(errno)));
        renamed_ = true;
    }

private:
    static fs::path unused_name(const fs::path& target) {
        static std::atomic<unsigned> count = 0;
        return target.parent_path() / fmt::format(".lanework-{}-{}.tmp", ::getpid(), count++);
    }
    /// With the permissions of the file that it is to replace, from the beginning.
    int create(const fs::path& path) {
        constexpr mode_t kPermissions = 0777, kOfNewFiles = 0666;
        struct stat replaced {};
        const bool replaces = ::stat(target_.c_str(), &replaced) == 0;
        const mode_t mode = replaces ? replaced.st_mode & kPermissions : kOfNewFiles;
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        descriptor_was_opened_ = descriptor >= 0;
        if (descriptor_was_opened_ && replaces) ::fchmod(descriptor, mode);  // what the umask took
        return descriptor;
    }

    fs::path target_;
    fs::path path_;
    bool descriptor_was_opened_ = false;
    bool renamed_ = false;
    Descriptor descriptor_;
};

/// The file that a path leads to, symbolic links followed, so that writing through a link keeps the link. The file may
/// be missing.
fs::path resolve(fs::path path) {
    constexpr int kMostLinks = 40;
    std::error_code code;
    for (int link = 0; link < kMostLinks && fs::is_symlink(path, code); ++link)
        path = path.parent_path() / fs::read_symlink(path, code);  // an absolute target replaces all
    return path;
}

void refuse_folder(const fs::path& path) {
    std::error_code code;
    if (path.filename().empty() || fs::is_directory(path, code)) fail(path, "is a folder; name a file in it");
    if (fs::exists(path, code) && !fs::is_regular_file(path, code)) fail(path, "is not a regular file");
}

/// The descriptor of this process that a path names; none for other paths.
std::optional<int> own_descriptor(const fs::path& path) {
    const std::string text = path.lexically_normal().string();
    if (text == "/dev/stdout") return STDOUT_FILENO;
    if (text == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        int number = 0;
        const char* const end = text.data() + text.size();
        if (text.starts_with(folder) && std::from_chars(text.data() + folder.size(), end, number).ptr == end)
            return number;
    }
    return std::nullopt;
}

void require_stream_writable(const fs::path& path) {
    const auto number = own_descriptor(path);
    if (!number) {
        if (::access(path.c_str(), W_OK) != 0) fail(path, fmt::format("cannot be written: {}", error_text(errno)));
        return;
    }
    const int flags = ::fcntl(*number, F_GETFL);
    if (flags < 0) fail(path, fmt::format("cannot be written: {}", error_text(errno)));
    if ((flags & O_ACCMODE) == O_RDONLY)
        fail(path, "is open for reading only; the shell's >(program) makes one that can be written");
}

void write_stream(const fs::path& path, std::span<const std::span<const std::uint8_t>> pieces) {
    require_stream_writable(path);
    const auto number = own_descriptor(path);
    Descriptor stream(number ? ::fcntl(*number, F_DUPFD_CLOEXEC, 0)
                             : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (stream.get() < 0) fail(path, fmt::format("cannot be written: {}", error_text(errno)));
    for (const auto& piece : pieces) write_all(stream.get(), path, piece);
    if (!stream.close()) fail(path, fmt::format("cannot be written: {}", error_text(errno)));
}

}  // namespace

std::vector<std::uint8_t> read_file(const fs::path& path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        fail(path, errno == ENOENT ? "there is no such file" : fmt::format("cannot be read: {}", error_text(errno)));
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) fail(path, fmt::format("cannot be read: {}", error_text(errno)));
    if (S_ISDIR(status.st_mode)) fail(path, "is a folder, not a file");
    if (!S_ISREG(status.st_mode)) fail(path, "is not a regular file");
    if (status.st_size > kLargestFile) fail(path, "is larger than 2 GiB, the most that is read");

    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(status.st_size));
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t count = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path, fmt::format("cannot be read: {}", error_text(errno)));
        if (count == 0) break;  // it was shortened meanwhile
        filled += static_cast<std::size_t>(count);
    }
    bytes.resize(filled);
    return bytes;
}

std::string file_text(const fs::path& path) {
    const std::vector<std::uint8_t> bytes = read_file(path);
    return {bytes.begin(), bytes.end()};
}

std::optional<std::string> readable_text(const fs::path& path) {
    std::error_code code;
    if (fs::is_directory(path, code)) return std::nullopt;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string text_of(const fs::path& path) { return readable_text(path).value_or(""); }

void write_file(const fs::path& path, std::span<const std::uint8_t> bytes) { write_file(path, std::span(&bytes, 1)); }

void write_file(const fs::path& path, std::string_view text) {
    write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void write_file(const fs::path& path, std::span<const std::span<const std::uint8_t>> pieces) {
    if (is_stream(path)) return write_stream(path, pieces);
    const fs::path target = resolve(path);
    refuse_folder(target);
    std::error_code code;
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), code);
    if (code) fail(path, fmt::format("its folder cannot be made: {}", code.message()));
    TemporaryFile temporary(target);
    for (const auto& piece : pieces) temporary.write(piece);
    temporary.take_target_name();
}

void require_writable(const fs::path& path) {
    if (is_stream(path)) return require_stream_writable(path);
    const fs::path target = resolve(path);
    refuse_folder(target);
    // The folder itself, or the nearest one above it that is there: the missing ones are made in it.
    fs::path folder = fs::absolute(target).parent_path();
    std::error_code code;
    while (!fs::exists(fs::symlink_status(folder, code)) && folder.has_relative_path()) folder = folder.parent_path();
    if (!fs::is_directory(folder, code))
        fail(path, fmt::format("cannot be written: {} is not a folder", folder.string()));
    try {
        TemporaryFile probe(folder / target.filename());
    } catch (const FileError&) {
        fail(path, fmt::format("cannot be written: no file can be made in {}", folder.string()));
    }
}

void require_folder_writable(const fs::path& folder) {
    std::error_code code;
    if (fs::exists(folder, code) && !fs::is_directory(folder, code)) fail(folder, "is a file; name a folder");
    require_writable(folder / "any");
}

bool is_stream(const fs::path& path) {
    std::error_code code;
    return own_descriptor(path) || fs::is_character_file(path, code) || fs::is_fifo(path, code);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    if (is_stream(a) || is_stream(b)) return false;
    std::error_code code;
    if (fs::equivalent(a, b, code)) return true;
    const auto place = [&code](const fs::path& path) {
        return fs::weakly_canonical(fs::absolute(resolve(path)), code);
    };
    return place(a) == place(b);
}

fs::path temporary_folder() {
    for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
        if (const char* const folder = std::getenv(variable); folder && *folder) return folder;
    return "/tmp";
}

}  // namespace lanework
