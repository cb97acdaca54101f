// What the tests of files share: the fixtures, and pictures to write.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/image_file.hpp>
#include <string>

#include "src/core/fill.hpp"
#include "tests/temporary_folder.hpp"

namespace lanework::test {

/// A file of tests/codecs/data, which its make.py made.
inline std::filesystem::path fixture(const std::string& name) {
    return std::filesystem::path(LANEWORK_SOURCE_DIR) / "tests/codecs/data" / name;
}

/// The picture in the fixtures.
inline Image pattern() { return {2, 3, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30, 40, 50, 60, 70, 80, 90}}; }

inline Image random_image(std::int64_t height, std::int64_t width, int channels, std::uint64_t seed = 1) {
    Image image{height, width, channels,
                std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * channels))};
    fill_uniform(image.pixels.data(), image.pixels.size(), seed);
    return image;
}

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::remove(path);  // some file systems wait for the disk when a file is cut to be rewritten
    std::ofstream(path, std::ios::binary) << bytes;
}

/// What reading the file throws; empty when it reads.
inline std::string reading_error(const std::filesystem::path& path) {
    try {
        read_image(path);
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

}  // namespace lanework::test
