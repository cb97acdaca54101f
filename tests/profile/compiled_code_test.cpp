// The machine code of a program's files, by scripts that stand in for nvcc and nvdisasm.
#include "src/profile/compiled_code.hpp"

#include "src/core/compilation_error.hpp"
#include "src/io/file.hpp"
#include "tests/profile/stand_in.hpp"

namespace lanework {
namespace {

class CompiledCode : public StandIns {
protected:
    CompiledCode() {
        const std::string log = (folder_ / "log").string();
        // Writes its output and a rule that names shared.h, and says what it was asked for.
        tools.nvcc = stand_in("nvcc", "echo \"$*\" >> " + log + R"(
while [ $# -gt 0 ]; do
  case $1 in -o) out=$2; shift;; -MF) rule=$2; shift;; esac; shift
done
echo code > "$out"; [ -z "$rule" ] || echo "$out : )" +
                                          header.string() + R"(" > "$rule")");
        tools.nvdisasm = stand_in("nvdisasm", "echo listing of ${3##*.}");
        write(header, "1");
        for (const auto& source : sources) write(source, source.filename().string());
    }
    void write(const std::filesystem::path& file, const std::string& text) const { std::ofstream(file) << text; }
    std::string asked() const { return std::filesystem::exists(folder_ / "log") ? file_text(folder_ / "log") : ""; }
    std::vector<CodeListing> listings(const CodeWords& words) const {
        return list_machine_code(sources, words, 90, tools, folder_ / "cache");
    }

    const std::filesystem::path header = folder_ / "shared.h";
    const std::vector<std::filesystem::path> sources{folder_ / "first.cu", folder_ / "second.cu"};
    CodeTools tools;
};

TEST_F(CompiledCode, OfFilesThatStandAloneIsListedByFile) {
    ASSERT_EQ(listings({{"-DN=3"}}).size(), 2u);
    EXPECT_NE(asked().find("-DN=3 -lineinfo -arch=sm_90 -cubin " + sources[1].string()), std::string::npos) << asked();
    EXPECT_EQ(asked().find("-dlink"), std::string::npos);
}

TEST_F(CompiledCode, OfFilesThatCallEachOtherIsLinked) {
    const auto linked = listings({{"-rdc=true"}, true});
    ASSERT_EQ(linked.size(), 1u);
    EXPECT_EQ(linked[0].text, "listing of cubin\n");
    for (const auto& source : sources) EXPECT_NE(asked().find("-dc " + source.string()), std::string::npos) << asked();
    EXPECT_NE(asked().find("-arch=sm_90 -dlink -cubin /"), std::string::npos) << asked();
}

TEST_F(CompiledCode, IsMadeAnewWhenAFileThatWasReadChanges) {
    for (const bool linked : {false, true}) {
        listings({{}, linked});
        const std::string before = asked();
        EXPECT_EQ(listings({{}, linked}).back().text, linked ? "listing of cubin\n" : "listing of o\n");
        EXPECT_EQ(asked(), before) << "kept";
        write(header, linked ? "3" : "2");
        listings({{}, linked});
        EXPECT_NE(asked(), before);
        const std::string again = asked();
        write(sources[1], linked ? "// 3" : "// 2");
        listings({{}, linked});
        EXPECT_NE(asked(), again) << "the second file counts, too";
    }
}

TEST_F(CompiledCode, IsThatOfTheFilesWhoseKernelsARungLaunches) {
    tools.sources = folder_;
    write(sources[0], "int x;\n// kernels: lib/build.cu\n// mends: bank_conflict\n");
    EXPECT_EQ(files_with_kernels("first.cu", tools), (std::vector<std::string>{"first.cu", "lib/build.cu"}));
    EXPECT_EQ(files_with_kernels("second.cu", tools), (std::vector<std::string>{"second.cu"}));
}

TEST_F(CompiledCode, SaysWhatNvccRefuses) {
    tools.nvcc = stand_in("refusing", "echo 'first.cu(3): error: no such thing' >&2; exit 1");
    try {
        listings({{}, true});
        FAIL();
    } catch (const CompilationError& error) {
        EXPECT_NE(std::string(error.what()).find("error: no such thing"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lanework
