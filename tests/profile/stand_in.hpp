// Shell scripts that stand in for programs of the toolkit.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/temporary_folder.hpp"

namespace lanework {

/// A folder of its own for each test, gone afterwards.
class StandIns : public ::testing::Test {
protected:
    /// A program that does what the shell script says.
    std::filesystem::path stand_in(const std::filesystem::path& file, const std::string& script) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(folder_ / file, std::filesystem::perms::owner_all);
        return folder_ / file;
    }

    const TemporaryFolder own_;
    const std::filesystem::path folder_ = own_.path();
};

}  // namespace lanework
