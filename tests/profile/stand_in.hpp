// Shell scripts that stand in for programs of the toolkit.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lanework {

/// A folder of its own for each test, gone afterwards.
class StandIns : public ::testing::Test {
protected:
    StandIns() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("lanework-") + test->test_suite_name() + "-" + test->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~StandIns() override { std::filesystem::remove_all(folder_); }

    /// A program that does what the shell script says.
    std::filesystem::path stand_in(const std::filesystem::path& file, const std::string& script) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(folder_ / file, std::filesystem::perms::owner_all);
        return folder_ / file;
    }

    std::filesystem::path folder_;
};

}  // namespace lanework
