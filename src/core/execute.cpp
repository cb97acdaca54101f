// Running a rung once on the caller's data.
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "src/core/bound_rung.hpp"
#include "src/core/own_ladders.hpp"

namespace lanework {

HostArrays::HostArrays(const Operation& operation, const Problem& problem) : specs_(operation.buffers(problem)) {
    for (std::size_t array = 0; array < specs_.size(); ++array) storage_.emplace_back(bytes(array));
    for (auto& storage : storage_) addresses_.push_back(storage.data());
}

void execute(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
             const Buffers& host) {
    execute(device, operation, rung, problem, host, [](const std::function<void()>& launch) { launch(); });
}

void execute(Device& given, const Operation& operation, const Rung& rung, const Problem& problem, const Buffers& host,
             const std::function<void(const std::function<void()>& launch)>& watch) {
    if (const std::string reason = refusal(rung, problem); !reason.empty())
        throw UnavailableError(fmt::format("{}/{}: {}", operation.name, rung.name, reason));
    Device& device = device_of(rung, given);
    const auto specs = operation.buffers(problem);
    std::vector<DeviceMemory> memory;
    std::vector<void*> addresses;
    for (std::size_t array = 0; array < specs.size(); ++array) {
        const std::size_t bytes = specs[array].count * size_of(specs[array].dtype);
        memory.push_back(device.allocate_in(memory_of(specs[array], rung), bytes));
        addresses.push_back(memory.back().data());
        if (specs[array].role == Role::input) device.upload(memory.back().data(), host.data[array], bytes);
    }
    const DeviceMemory workspace = device.allocate(BoundRung::workspace_bytes(rung, problem, addresses));
    const BoundRung bound(rung, problem, std::move(addresses), workspace.data(), device.stream());
    watch([&] {
        bound.launch();
        device.check_launch();
        device.synchronize();
    });
    for (std::size_t array = 0; array < specs.size(); ++array)
        if (specs[array].role == Role::output)
            device.download(host.data[array], memory[array].data(), memory[array].bytes());
}

}  // namespace lanework
