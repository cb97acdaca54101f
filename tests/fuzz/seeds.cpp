// Writes what the fuzzer of pictures begins with into a folder: small pictures of every format, cut and damaged ones.
// Usage: lanework-fuzz-seeds FOLDER
#include <cstdio>
#include <exception>

#include "src/io/file.hpp"
#include "tests/codecs/damaged.hpp"

namespace {

constexpr std::uint64_t kDamagedOfEach = 20;

std::vector<lanework::test::PictureFile> seeds() {
    auto files = lanework::test::small_pictures();
    const std::string video = "YUV4MPEG2 W3 H2 F25:1 Ip A1:1 C420jpeg XABC\nFRAME\n0123456789FRAME\n9876543210";
    files.push_back({"video.y4m", {video.begin(), video.end()}});
    return files;
}

void write_seeds(const std::filesystem::path& folder) {
    using namespace lanework;
    for (const auto& [name, bytes] : seeds()) {
        write_file(folder / name, bytes);
        for (std::size_t eighths = 1; eighths < 8; ++eighths)
            write_file(folder / fmt::format("cut_{}_of_8_{}", eighths, name),
                       std::span(bytes).first(bytes.size() * eighths / 8));
        for (std::uint64_t seed = 0; seed < kDamagedOfEach; ++seed)
            write_file(folder / fmt::format("damaged_{}_{}", seed, name), test::damaged(bytes, seed));
    }
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 2) {
        std::fputs("usage: lanework-fuzz-seeds FOLDER\n", stderr);
        return 2;
    }
    write_seeds(arguments[1]);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
