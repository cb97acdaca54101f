// A program may call its own things by any name that CUDA does not have: what the device's headers need for themselves
// is not seen from a program.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <vector>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

const fs::path kHeaders = LANEWORK_SOURCE_DIR "/src/simt/include/lanework_simt";

/// The names that a header declares in namespace lanework_simt, in their first column, outside of CUDA's part of it.
void add_names(const fs::path& header, std::set<std::string>& names) {
    const std::regex space(R"(^(?:inline )?namespace ([\w:]+) \{)"),
        type(R"(^(?:struct|class|enum class|enum|union) (\w+))"), alias(R"(^using (?:\w+::)*(\w+)(?:;| =))"),
        constant(R"(^.*constexpr [^(]*?(\w+)(?:<.*>)? =)"), variable(R"(^extern [^(]*?(\w+)(?: __attribute__.*)?;)"),
        function(R"(^[A-Za-z][^(=]*[ *&](\w+)\()");
    std::ifstream file(header);
    const std::string own = "lanework_simt";
    std::vector<std::string> within;
    for (std::string line; std::getline(file, line);) {
        line = std::regex_replace(line, std::regex(R"(\[\[[^\]]*\]\] ?)"), "");
        line = std::regex_replace(line, std::regex(R"(decltype\(auto\))"), "auto");
        std::smatch found;
        if (std::regex_search(line, found, space)) {
            const std::string name = found[1];
            if (within == std::vector{own}) names.insert(name);
            if (name.starts_with(own + "::")) names.insert(name.substr(own.size() + 2));
            within.push_back(name);
        } else if (line.starts_with("}  // namespace ")) {
            within.pop_back();
        } else if (within == std::vector{own} && !line.starts_with("template")) {
            for (const std::regex* form : {&type, &alias, &constant, &variable, &function})
                if (std::regex_search(line, found, *form)) {
                    names.insert(found[1]);
                    break;
                }
        }
    }
}

/// Every name of the device's own headers, and words that programs like.
std::set<std::string> own_names() {
    std::set<std::string> names{"yield",  "Place",  "Launch", "Argument", "Closure", "context", "Worker", "Block",
                                "Fiber",  "Grid",   "Engine", "device",   "host",    "kernel",  "warp",   "lane",
                                "Stream", "Buffer", "Array",  "Matrix",   "Vector",  "Point",   "launch", "copy",
                                "load",   "store",  "reduce", "scan",     "sort",    "Error",   "check"};
    for (const auto& entry : fs::directory_iterator(kHeaders))
        if (entry.path().extension() == ".hpp") add_names(entry.path(), names);
    names.erase("api");
    return names;
}

const std::string kEveryHeader =
    "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
    "#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n#include <cuComplex.h>\n"
    "#include <cublas_v2.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <curand.h>\n"
    "#include <curand_kernel.h>\n#include <mma.h>\n#include <cstdio>\n";

/// Types and functions of these names, each used by the host and by a kernel that meets at a barrier.
std::string program_of(const std::set<std::string>& names) {
    std::string text = kEveryHeader, kernel, host;
    bool is_type = false;
    for (const std::string& name : names) {
        is_type = !is_type;
        if (is_type) {
            text += "struct " + name + " { int value; };\n";
            kernel += "    { " + name + " one{1}; " + name + "* pointer = &one; sum += pointer->value; }\n";
            host += "    { " + name + " one{1}; sum += one.value; }\n";
        } else {
            text += "__host__ __device__ int " + name + "(int value) { return value; }\n";
            kernel += "    sum += " + name + "(1);\n";
            host += "    sum += " + name + "(1);\n";
        }
    }
    return text + "__global__ void all(int* out) {\n    int sum = 0;\n" + kernel +
           "    __shared__ int part;\n    if (threadIdx.x == 0) part = sum;\n    __syncthreads();\n"
           "    atomicAdd(out, __shfl_sync(~0u, part, 0));\n}\n"
           "int main() {\n    int sum = 0, *out;\n    cudaMallocManaged(&out, sizeof *out);\n" +
           host +
           "    all<<<1, 2>>>(out);\n    cudaDeviceSynchronize();\n"
           "    std::printf(\"%d %d\\n\", sum, *out);\n}\n";
}

TEST(Names, OfTheDevicesOwnHeadersAreAProgramsToUse) {
    const std::set<std::string> names = own_names();
    for (const char* known : {"ThreadContext", "launcher", "ptx", "kFullMask", "quiet_load", "SharedSlot", "halves"})
        EXPECT_TRUE(names.count(known)) << known;
    const Folder folder;
    folder.write("names.cu", program_of(names));
    const Said run = in(folder, "run names.cu");
    EXPECT_EQ(run.status, 0) << run.err.substr(0, 4000);
    EXPECT_EQ(run.out, std::to_string(names.size()) + " " + std::to_string(2 * names.size()) + "\n");
}

TEST(Names, StayAProgramsWhenItOpensGroupsAndFragments) {
    const Folder folder;
    folder.write("groups.cu",
                 "#include <cooperative_groups.h>\n#include <mma.h>\n#include <cstdio>\n"
                 "using namespace cooperative_groups;\nusing namespace nvcuda;\nusing namespace nvcuda::wmma;\n"
                 "struct volume { int x; };\nstruct copies { int x; };\nstruct linear_rank { int x; };\n"
                 "__global__ void kernel(volume* v, copies* c, linear_rank* r) {\n"
                 "    this_thread_block().sync();\n"
                 "    v->x = 1; c->x = 2; r->x = 3;\n}\n"
                 "int main() {\n"
                 "    int* data; cudaMallocManaged(&data, 12);\n"
                 "    kernel<<<1, 1>>>((volume*)data, (copies*)(data + 1), (linear_rank*)(data + 2));\n"
                 "    cudaDeviceSynchronize();\n    std::printf(\"%d%d%d\\n\", data[0], data[1], data[2]);\n}\n");
    EXPECT_EQ(in(folder, "run groups.cu").out, "123\n");
}

}  // namespace
}  // namespace lanework
