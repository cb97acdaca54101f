// A public function whose first call in the process is captured, with the device's opening: the graph computes what the
// processor does. One function a process: first_call add|reduce|matmul|matmul_bfloat16|blur. 77 where there is no GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <lanework/array.hpp>
#include <lanework/image.hpp>
#include <map>
#include <string>
#include <vector>

#include "src/cuda/check.hpp"

namespace {
using namespace lanework;

#ifdef __NVCC__
constexpr const char* kDevice = "cuda:0";
#else
constexpr const char* kDevice = "simt";
#endif

constexpr std::int64_t kCount = 100'000, kSide = 256;
constexpr std::size_t kScratch = std::size_t{64} << 20;

/// What a function reads, writes and may use meanwhile, in one memory.
struct Arrays {
    void *first, *second, *out, *scratch;

    Workspace workspace() const { return {scratch, kScratch}; }
};
using Call = void (*)(const Arrays&, const Target&);

struct Function {
    Call call;
    std::int64_t bytes, out_bytes;
};

template <class T>
MatrixView<T> square(void* data) {
    return MatrixView<T>::tight(static_cast<T*>(data), kSide, kSide);
}
template <class T>
ArrayView<T> line(void* data) {
    return {static_cast<T*>(data), kCount};
}
template <class T>
ImageView<T> picture(void* data) {
    return {static_cast<T*>(data), kSide, kSide, 3, kSide * 3};
}
template <class T>
void multiply(const Arrays& a, const Target& target) {
    matmul(square<const T>(a.first), square<const T>(a.second), square<MatmulResult<T>>(a.out), a.workspace(), target);
}

const std::map<std::string, Function> kFunctions = {
    {"add",
     {[](const Arrays& a, const Target& target) {
          add(line<const float>(a.first), line<const float>(a.second), line<float>(a.out), target);
      },
      4 * kCount, 4 * kCount}},
    {"reduce",
     {[](const Arrays& a, const Target& target) {
          reduce(line<const std::int32_t>(a.first), static_cast<std::int64_t*>(a.out), ReduceForm::argmax,
                 a.workspace(), target);
      },
      4 * kCount, 8}},
    {"matmul", {multiply<std::int32_t>, 4 * kSide* kSide, 4 * kSide* kSide}},
    {"matmul_bfloat16", {multiply<bfloat16>, 2 * kSide* kSide, 2 * kSide* kSide}},
    {"blur",
     {[](const Arrays& a, const Target& target) {
          blur(picture<const std::uint8_t>(a.first), picture<std::uint8_t>(a.out), target);
      },
      3 * kSide* kSide, 3 * kSide* kSide}},
};

/// Every four bytes are a float near 1, two bfloat16 near 1, or an integer: sums and products of few bits are exact.
std::vector<unsigned char> drawn(std::int64_t bytes, unsigned seed) {
    std::vector<unsigned char> values(static_cast<std::size_t>(bytes));
    for (std::size_t k = 0; k + 1 < values.size(); k += 2) {
        seed = seed * 1664525U + 1013904223U;
        values[k] = static_cast<unsigned char>((seed >> 24 & 1U) << 7U);
        values[k + 1] = 0x3F;
    }
    return values;
}

std::vector<unsigned char> on_processor(const Function& function) {
    struct alignas(64) Line {
        unsigned char bytes[64];
    };
    std::vector<unsigned char> first = drawn(function.bytes, 1), second = drawn(function.bytes, 2);
    std::vector<unsigned char> out(static_cast<std::size_t>(function.out_bytes));
    std::vector<Line> scratch(kScratch / sizeof(Line));
    function.call({first.data(), second.data(), out.data(), scratch.data()}, Team{1});
    return out;
}

void* uploaded(const std::vector<unsigned char>& bytes) {
    void* memory = nullptr;
    LANEWORK_CHECK(cudaMalloc(&memory, bytes.size()));
    LANEWORK_CHECK(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    return memory;
}

std::vector<unsigned char> captured(const Function& function) {
    std::vector<unsigned char> out(static_cast<std::size_t>(function.out_bytes));
    const Arrays arrays{uploaded(drawn(function.bytes, 1)), uploaded(drawn(function.bytes, 2)), uploaded(out),
                        uploaded(std::vector<unsigned char>(kScratch))};
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    LANEWORK_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    LANEWORK_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const std::unique_ptr<Device> device = open_device(kDevice);
    function.call(arrays, Target(*device, stream));
    LANEWORK_CHECK(cudaStreamEndCapture(stream, &graph));
    LANEWORK_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    LANEWORK_CHECK(cudaGraphLaunch(executable, stream));
    LANEWORK_CHECK(cudaStreamSynchronize(stream));
    LANEWORK_CHECK(cudaMemcpy(out.data(), arrays.out, out.size(), cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace

int main(int count, char** words) {
    const auto found = count == 2 ? kFunctions.find(words[1]) : kFunctions.end();
    if (found == kFunctions.end()) {
        std::fprintf(stderr, "usage: %s FUNCTION, one of:", words[0]);
        for (const auto& [name, function] : kFunctions) std::fprintf(stderr, " %s", name.c_str());
        std::fprintf(stderr, "\n");
        return 2;
    }
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
        std::fprintf(stderr, "there is no GPU\n");
        return 77;
    }
    try {
        if (captured(found->second) == on_processor(found->second)) return 0;
        std::fprintf(stderr, "%s: the graph computes something else than the processor\n", words[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", words[1], error.what());
    }
    return 1;
}
