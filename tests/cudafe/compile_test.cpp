// Compilers read what cudafe writes, and speak of the CUDA file.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

namespace fs = std::filesystem;

const fs::path kHere = fs::path(LANEWORK_SOURCE_DIR) / "tests/cudafe";

class Compilers : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (run(std::string(GetParam()) + " --version").status != 0) GTEST_SKIP() << GetParam() << " is not installed";
    }

    Outcome translate(const fs::path& file) const {
        return run(shell_quoted(LANEWORK_CUDAFE) + ' ' + shell_quoted(file) + " -o " + shell_quoted(output()));
    }
    Outcome compile() const {
        return run(std::string(GetParam()) + " -std=c++20 -fsyntax-only " LANEWORK_WARNINGS " -I " +
                   shell_quoted(kHere / "stand_in") + ' ' + shell_quoted(output()));
    }
    fs::path output() const { return folder_ / "out/translated.cpp"; }

    Folder folder_;
};

TEST_P(Compilers, TakeEveryFileOfTheGallery) {
    int files = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(kHere / "gallery")) {
        ASSERT_EQ(translate(file.path()).output, "");
        EXPECT_EQ(compile().output, "") << file.path();
        ++files;
    }
    EXPECT_GE(files, 2);
}

TEST_P(Compilers, ReportErrorsAtTheLineOfTheCudaFile) {
    const fs::path file = folder_.write("wrong.cu",
                                        "__global__ void k(int* p) {\n"
                                        "    __shared__ int a[2],\n"
                                        "        b;\n"
                                        "    *p = a[0] + b;\n"
                                        "}\n"
                                        "void f(int* p) {\n"
                                        "    k<<<1,\n"
                                        "        2>>>(p);\n"
                                        "    undeclared = 1;\n"
                                        "}\n");
    ASSERT_EQ(translate(file).output, "");
    const Outcome outcome = compile();
    EXPECT_NE(outcome.status, 0);
    EXPECT_NE(outcome.output.find(file.string() + ":9:5: error"), std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("translated.cpp:"), std::string::npos) << outcome.output;
}

TEST_P(Compilers, ReportErrorsAtTheLineOfAnIncludedFile) {
    const fs::path header = folder_.write("kernels/tile.cuh",
                                          "#pragma once\n"
                                          "#include \"plain.h\"\n"
                                          "inline __device__ int f() {\n"
                                          "    __shared__ int a; return a + kPlain + undeclared;\n"
                                          "}\n");
    folder_.write("kernels/plain.h", "#pragma once\nconstexpr int kPlain = 1;\n");
    const fs::path file = folder_.write("main.cu", "#include \"kernels/tile.cuh\"\n#include \"kernels/plain.h\"\n");
    ASSERT_EQ(translate(file).output, "");
    const Outcome outcome = compile();
    EXPECT_NE(outcome.output.find(header.string() + ":4:"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("undeclared"), std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("redefinition"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Cudafe, Compilers, testing::Values("g++", "clang++"),
                         [](const auto& compiler) { return std::string(compiler.param[0] == 'g' ? "Gcc" : "Clang"); });

}  // namespace
}  // namespace lanework::cudafe
