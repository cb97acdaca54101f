// What a rung is built with besides its own file: how the words are read, and what nvcc makes of them.
#include <dlfcn.h>

#include <iterator>
#include <lanework/device.hpp>
#include <lanework/error.hpp>

#include "src/program/ladder/own_ladder.hpp"
#include "src/program/ladder/rung_library.hpp"
#include "src/program/toolchain.hpp"
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text) { return split_build_words(text); }

TEST(BuildWords, AreSplitAtBlanksOutsideOfQuotes) {
    EXPECT_EQ(split("-I include  'a file.cu' -DNAME=\"two words\""),
              (std::vector<std::string>{"-I", "include", "a file.cu", "-DNAME=two words"}));
    EXPECT_TRUE(split("  ").empty());
    EXPECT_THROW(split("-DNAME='open"), UsageError);
}

TEST(BuildWords, NamePathsFromTheirFolder) {
    const BuildWords words =
        read_build_words(split("-I include -I/usr/include tables.cu lib/liba.a -Llib -la -DN=4 -std=c++20"), "/ladder");
    EXPECT_EQ(words.words,
              (std::vector<std::string>{"-I/ladder/include", "-I/usr/include", "/ladder/tables.cu",
                                        "/ladder/lib/liba.a", "-L/ladder/lib", "-la", "-DN=4", "-std=c++20"}));
    EXPECT_EQ(words.sources(), std::vector<fs::path>{"/ladder/tables.cu"});
    EXPECT_EQ(words.binaries(), std::vector<fs::path>{"/ladder/lib/liba.a"});
    EXPECT_EQ(words.header_folders(), (std::vector<fs::path>{"/ladder/include", "/usr/include"}));
    EXPECT_EQ(words.library_folders(), (std::vector<fs::path>{"/ladder/lib", "/ladder/lib"}));
    EXPECT_THROW(read_build_words({"-o", "x"}, "/ladder"), UsageError);
    EXPECT_THROW(read_build_words({"-I"}, "/ladder"), UsageError);
    EXPECT_THROW(read_build_words({"--nothing"}, "/ladder"), UsageError);
}

TEST(BuildWords, OfARungThatIsNotTrustedStayWithinItsFolder) {
    const auto beyond = [](const std::string& text) {
        return read_build_words(split(text), "/theirs").beyond_own_sources("/theirs");
    };
    EXPECT_EQ(beyond("-I parts parts/tables.cu -DN=4"), "");
    EXPECT_EQ(beyond("-I ../ours"), "-I/ours");
    EXPECT_EQ(beyond("../ours/tables.cu"), "../ours/tables.cu");
    EXPECT_EQ(beyond("parts/tables.cpp"), "parts/tables.cpp") << "host code has no hooks";
    EXPECT_EQ(beyond("parts/libtables.a"), "parts/libtables.a");
    EXPECT_EQ(beyond("-Lparts"), "-L/theirs/parts");
    EXPECT_EQ(beyond("-ltables"), "-ltables");
    EXPECT_EQ(beyond("-Xcompiler -fno-sanitize=thread"), "-Xcompiler");
    EXPECT_EQ(beyond("-include parts/first.hpp"), "-include");
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

/// y = 3x + 1: device code of another file gains, a library of the host says how many threads a block has.
void write_linked_ladder(const Folder& folder) {
    write(folder / "line/operation.json",
          R"({"in": {"x": "float[n]"}, "out": {"y": "float[n]"}, "build": "-I include -DGAIN=3"})");
    write(folder / "line/reference.py", "def reference(x):\n    return 3 * x + 1\n");
    write(folder / "line/include/parts.hpp", "int threads_for(int n);\n__device__ float gained(float x);\n");
    write(folder / "line/parts/gained.cu",
          "#include \"parts.hpp\"\n__device__ float gained(float x) { return GAIN * x; }\n");
    write(folder / "parts/threads.cpp", "int threads_for(int n) { return n < 1000 ? 64 : 256; }\n");
    write(folder / "line/linked.cu",
          "// build: parts/gained.cu\n"
          "#include \"parts.hpp\"\n"
          "__global__ void line(const float* x, float* y, int n) {\n"
          "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "    if (i < n) y[i] = gained(x[i]) + 1;\n"
          "}\n"
          "void launch(const float* x, float* y, int n, cudaStream_t stream) {\n"
          "    const int threads = threads_for(n);\n"
          "    line<<<(n + threads - 1) / threads, threads, 0, stream>>>(x, y, n);\n"
          "}\n");
}

/// What the dynamic linker says of the library that nvcc builds with these words; empty where it loads, with its
/// launcher.
std::string loaded(const Folder& folder, const std::string& words) {
    ProgramCache cache;
    Build build;
    std::string said;
    build.tell = [&](std::string_view text) { said += text; };
    const Description line = read_description(folder / "line");
    try {
        const RungSource source{
            .file = folder / "line/linked.cu", .kernel = {}, .launch = {}, .build = split_build_words(words)};
        const fs::path library =
            OwnRung::make(OwnOperation::make(line), source, DeviceKind::cuda).build(build, cache, "sm_90");
        void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) return dlerror();
        return dlsym(handle, "lanework_launch_float32") ? "" : "there is no launcher";
    } catch (const std::exception& error) {
        return std::string(error.what()) + "\n" + said;
    }
}

/// What the dynamic linker says of a rung of a copy of ops/ that nvcc builds, with a library for the operation's; empty
/// where it has its entry.
std::string loaded_copy(const Folder& folder, const std::string& operation, const std::string& rung) {
    const fs::path root = LANEWORK_SOURCE_DIR, copy = folder / operation;
    fs::copy(root / "ops" / operation, copy, fs::copy_options::recursive);
    write(folder / "nothing.cpp", "int nothing() { return 0; }\n");
    if (shell("c++ -fPIC -shared '" + folder.string() + "/nothing.cpp' -o '" + folder.string() + "/library'").status !=
        0)
        return "no library";
    ProgramCache cache;
    Build build;
    build.toolchain.public_headers = root / "include";
    std::string said;
    build.tell = [&](std::string_view text) { said += text; };
    const RungPlace place{.file = copy / (rung + ".cu"),
                          .root = IncludeRoot(copy, fs::path("ops") / operation),
                          .includes = {root},
                          .operation = folder / "library",
                          .shown = rung};
    try {
        const fs::path library = build_rung_library(place, DeviceKind::cuda, {}, build, cache, "sm_90");
        void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (!handle) return dlerror();
        return dlsym(handle, ("lanework_rung_cuda_" + operation + "_" + rung).c_str()) ? "" : "there is no entry";
    } catch (const std::exception& error) {
        return std::string(error.what()) + "\n" + said;
    }
}

/// nvcc takes 25 CPU seconds for these tests, and without a GPU `make test` compiles no CUDA.
std::string why_no_nvcc() {
    if (find_program("nvcc").empty()) return "nvcc is not on PATH";
    if (!LANEWORK_THOROUGH && availability(DeviceKind::cuda).count == 0)
        return "LANEWORK_THOROUGH asks for nvcc's builds";
    return "";
}

TEST(CompiledRungs, OfACopyOfOursAreBuiltByNvcc) {
    if (const std::string why = why_no_nvcc(); !why.empty()) GTEST_SKIP() << why;
    const Folder folder;
    EXPECT_EQ(loaded_copy(folder, "add", "strided"), "");
}

TEST(LinkedRungs, AreBuiltByNvccWithSourcesArchivesAndSharedLibraries) {
    if (const std::string why = why_no_nvcc(); !why.empty()) GTEST_SKIP() << why;
    const Folder folder;
    write_linked_ladder(folder);
    const std::string at = folder.string();
    ASSERT_EQ(shell("cd '" + at +
                    "/parts' && c++ -fPIC -c threads.cpp && ar rcs libthreads.a threads.o && "
                    "c++ -shared threads.o -o libshared.so && nvcc -arch=sm_90 -Xcompiler -fPIC -dc -DGAIN=3 -I "
                    "../line/include "
                    "../line/parts/gained.cu -o gained.o && ar rcs libgained.a gained.o")
                  .status,
              0);
    EXPECT_EQ(loaded(folder, "'" + at + "/parts/threads.cpp'"), "");
    EXPECT_EQ(loaded(folder, "'" + at + "/parts/libthreads.a'"), "");
    EXPECT_EQ(loaded(folder, "-L'" + at + "/parts' -lthreads"), "");
    EXPECT_EQ(loaded(folder, "-L '" + at + "/parts' -lshared"), "");
    EXPECT_NE(loaded(folder, "").find("threads_for"), std::string::npos) << "nobody defines it";
    // Device code from an archive is linked by nvcc.
    write(folder / "line/linked.cu", [&] {
        std::ifstream file(folder / "line/linked.cu");
        std::string text{std::istreambuf_iterator<char>(file), {}};
        return text.substr(text.find('\n') + 1);
    }());
    EXPECT_EQ(loaded(folder, "'" + at + "/parts/libgained.a' '" + at + "/parts/libthreads.a'"), "");
}

}  // namespace
}  // namespace lanework
