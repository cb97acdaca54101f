// What calls of <lanework/array.hpp> cost on a GPU: the host's time for a call, the device's time for one that a CUDA graph
// captured, and the device's time beside every rung of the ladder. JSON on stdout. A replay whose result is not a
// direct call's ends it with 1.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <lanework/array.hpp>
#include <lanework/device_array.hpp>
#include <lanework/registry.hpp>
#include <random>
#include <string>
#include <vector>

#include "src/core/bound_rung.hpp"
#include "src/cuda/graph.hpp"

namespace {
using namespace lanework;
using Bytes = std::vector<std::byte>;
using Clock = std::chrono::steady_clock;

constexpr int kCalls = 1000, kCaptured = 100, kRuns = 15;

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
}

/// Inputs and outputs of a problem in a device's memory, and the public function on them.
struct Case {
    Case(Device& device, const Operation& operation, const Problem& problem) : operation(operation), problem(problem) {
        std::mt19937_64 random(1);
        for (const BufferSpec& spec : operation.buffers(problem)) {
            const std::size_t bytes = spec.count * size_of(spec.dtype);
            Bytes host(bytes);
            for (std::size_t k = 0; k + 4 <= bytes; k += 4) {
                const std::uint32_t word = random() % 2 ? 0x3f000000U : 0x3e800000U + random() % 4096;  // of float32 0.25 to 0.5
                std::copy_n(reinterpret_cast<const std::byte*>(&word), 4, host.data() + k);
            }
            memory.push_back(device.allocate(bytes));
            device.upload(memory.back().data(), host.data(), bytes);
            arrays.push_back(memory.back().data());
        }
    }
    template <class T>
    T* at(std::size_t array) const {
        return reinterpret_cast<T*>(memory[array].data());
    }
    Bytes result(Device& device) const {
        device.synchronize();
        Bytes bytes(memory.back().bytes());
        device.download(bytes.data(), arrays.back(), bytes.size());
        return bytes;
    }

    const Operation& operation;
    Problem problem;
    std::vector<DeviceMemory> memory;
    std::vector<void*> arrays;
};

using Call = std::function<void(const Case&, const Workspace&, Target)>;
struct Function {
    std::string_view operation, small, large;
    DType dtype;
    std::function<std::size_t(const Problem&, Target)> workspace;
    Call call;
};

std::size_t none(const Problem&, Target) { return 0; }

template <class T>
void multiply(const Case& c, const Workspace& workspace, Target target) {
    const auto [m, n, k] = std::tuple(c.problem.extent[0], c.problem.extent[1], c.problem.extent[2]);
    matmul(MatrixView<const T>::tight(c.at<T>(0), m, n), MatrixView<const T>::tight(c.at<T>(1), n, k),
           MatrixView<T>::tight(c.at<T>(2), m, k), workspace, target);
}

std::vector<Function> functions() {
    return {
        {"add", "1024", "67108864", DType::float32, none,
         [](const Case& c, const Workspace&, Target target) {
             const std::int64_t n = c.problem.extent[0];
             add({c.at<float>(0), n}, {c.at<float>(1), n}, {c.at<float>(2), n}, target);
         }},
        {"gelu", "1024", "67108864", DType::float32, none,
         [](const Case& c, const Workspace&, Target target) {
             const std::int64_t n = c.problem.extent[0];
             gelu(ArrayView<const float>{c.at<float>(0), n}, ArrayView<float>{c.at<float>(1), n}, GeluForm::erf, target);
         }},
        {"histogram", "1024", "268435456", DType::uint8, none,
         [](const Case& c, const Workspace&, Target target) {
             histogram({c.at<std::uint8_t>(0), c.problem.extent[0]}, c.at<std::uint64_t>(1), target);
         }},
        {"transpose", "32x32", "8192x8192", DType::int32, none,
         [](const Case& c, const Workspace&, Target target) {
             const auto [rows, cols] = std::pair(c.problem.extent[0], c.problem.extent[1]);
             transpose(MatrixView<const std::int32_t>::tight(c.at<std::int32_t>(0), rows, cols),
                       MatrixView<std::int32_t>::tight(c.at<std::int32_t>(1), cols, rows), target);
         }},
        {"reduce", "1024", "67108864", DType::float32,
         [](const Problem& p, Target target) {
             return reduce_workspace(p.extent[0], DType::float32, ReduceForm::sum, target);
         },
         [](const Case& c, const Workspace& workspace, Target target) {
             reduce({c.at<float>(0), c.problem.extent[0]}, c.at<float>(1), ReduceForm::sum, workspace, target);
         }},
        {"matmul", "32x32x32", "2048x2048x2048", DType::float32, none, multiply<float>},
        {"matmul", "32x32x32", "2048x2048x2048", DType::int32, none, multiply<std::int32_t>},
    };
}

/// Seconds of the host for a call that is enqueued.
double host_seconds(Device& device, const std::function<void()>& body) {
    std::vector<double> samples;
    for (int run = 0; run < kRuns; ++run) {
        device.synchronize();
        const auto start = Clock::now();
        for (int k = 0; k < kCalls / kRuns; ++k) body();
        samples.push_back(std::chrono::duration<double>(Clock::now() - start).count() / (kCalls / kRuns));
    }
    device.synchronize();
    return median(samples);
}

struct InGraph {
    double seconds;  ///< of one call of many that follow each other
    bool same;       ///< as a direct call's result
};
InGraph in_graph(Device& device, const Case& c, const std::function<void(cudaStream_t)>& body) {
    const auto stream = static_cast<cudaStream_t>(device.stream());
    body(stream);
    const Bytes right = c.result(device);
    const on_cuda::CapturedGraph graph([&](cudaStream_t captured) {
        for (int k = 0; k < kCaptured; ++k) body(captured);
    });
    device.fill(c.arrays.back(), std::byte{0x7b}, right.size());
    graph.launch(stream);
    const bool same = c.result(device) == right;
    return {median(device.time(kRuns, nullptr, [&] { graph.launch(stream); })) / kCaptured, same};
}

/// Seconds of a large call, and of the ladder's fastest rung.
void print_large(Device& device, const Function& function) {
    const Operation& operation = find_operation(function.operation);
    const Case c(device, operation, parse_problem(operation, function.large, function.dtype));
    const std::size_t bytes = function.workspace(c.problem, device);
    const DeviceMemory scratch = device.allocate(std::max<std::size_t>(bytes, 1));
    const auto seconds_of = [&](const std::function<void()>& body) {
        body();
        return median(device.time(kRuns, nullptr, body));
    };
    std::string fastest;
    double least = 0;
    for (const Rung* rung : ladder(operation, DeviceKind::cuda)) {
        if (rung->library || rung->climbs_from.empty() || !refusal(*rung, c.problem).empty()) continue;
        const std::size_t needed = BoundRung::workspace_bytes(*rung, c.problem, c.arrays);
        const DeviceMemory workspace = device.allocate(std::max<std::size_t>(needed, 1));
        const BoundRung bound(*rung, c.problem, c.arrays, workspace.data(), device.stream());
        const double seconds = seconds_of([&] { bound.launch(); });
        if (fastest.empty() || seconds < least) std::tie(fastest, least) = std::pair(std::string(rung->name), seconds);
    }
    const double called = seconds_of([&] { function.call(c, {scratch.data(), bytes}, device); });
    fmt::print("\"large\": {{\"size\": \"{}\", \"call_s\": {:.4g}, \"fastest_rung\": \"{}\", \"rung_s\": {:.4g}, \"ratio\": {:.4g}}}",
               function.large, called, fastest, least, called / least);
}

bool print_function(Device& device, const Function& function) {
    const Operation& operation = find_operation(function.operation);
    const Case c(device, operation, parse_problem(operation, function.small, function.dtype));
    const std::size_t bytes = function.workspace(c.problem, device);
    const DeviceMemory scratch = device.allocate(std::max<std::size_t>(bytes, 1));
    const Workspace workspace{scratch.data(), bytes};
    const Rung& rung = chosen_rung(operation, DeviceKind::cuda, c.problem);
    const BoundRung bound(rung, c.problem, c.arrays, scratch.data(), device.stream());
    const double call = host_seconds(device, [&] { function.call(c, workspace, device); });
    const double launch = host_seconds(device, [&] { bound.launch(); });
    const InGraph graph = in_graph(device, c, [&](cudaStream_t stream) { function.call(c, workspace, {device, stream}); });
    fmt::print("  {{\"function\": \"{}\", \"dtype\": \"{}\", \"size\": \"{}\", \"host_call_s\": {:.4g}, \"host_launch_of_{}_s\": {:.4g}, "
               "\"in_graph_s\": {:.4g}, \"replay_is_a_direct_call\": {}, ",
               function.operation, name_of(function.dtype), function.small, call, rung.name, launch, graph.seconds, graph.same);
    print_large(device, function);
    fmt::print("}}");
    return graph.same;
}

}  // namespace

int main() {
    try {
        const auto device = open_device("cuda");
        bool good = true;
        fmt::print("{{\"device\": \"{}\", \"functions\": [\n", device->info().name);
        const char* before = "";
        for (const Function& function : functions()) {
            fmt::print("{}", before);
            good &= print_function(*device, function);
            before = ",\n";
        }
        fmt::print("\n]}}\n");
        return good ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "array_calls: {}\n", error.what());
        return 4;
    }
}
