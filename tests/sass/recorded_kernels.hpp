// Kernels whose machine code was recorded, executed on memory of the test's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "src/gpu/sass/execution.hpp"

namespace lanework {

inline std::string recorded_text(const std::string& name) {
    std::ifstream file(std::string(LANEWORK_SOURCE_DIR) + "/tests/sass/recorded/" + name + ".sass");
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}

inline const MachineCode& recorded_code() {
    static const MachineCode code = read_machine_code(recorded_text("kernels"));
    return code;
}
inline const MachineKernel& recorded_kernel(std::string_view symbol) {
    for (const MachineKernel& kernel : recorded_code().kernels)
        if (kernel.symbol == symbol) return kernel;
    throw std::runtime_error(std::string(symbol) + " was not recorded");
}

/// Memory that was shown to a kernel, and what it accessed.
class SharedMemoryWorld : public MachineWorld {
public:
    template <class T>
    std::uint64_t show(std::vector<T>& values) {
        const auto base = reinterpret_cast<std::uint64_t>(values.data());
        ranges_.push_back({base, values.size() * sizeof(T)});
        return base;
    }
    std::span<std::byte> global(std::uint64_t address) override {
        for (const auto& [base, bytes] : ranges_)
            if (address - base < bytes)
                return {reinterpret_cast<std::byte*>(address), static_cast<std::size_t>(bytes - (address - base))};
        return {};
    }
    MachineArray array(std::uint64_t address) override {
        for (const auto& [base, bytes] : ranges_)
            if (address - base < bytes) return {base, bytes};
        return {};
    }
    void accessed(const MachineAccess& access) override {
        ++requests[static_cast<int>(access.space)][static_cast<int>(access.kind)];
        widest = std::max(widest, access.bytes);
    }

    /// By space and kind.
    std::array<std::array<std::uint64_t, 4>, 4> requests{};
    unsigned widest = 0;

private:
    std::vector<std::pair<std::uint64_t, std::size_t>> ranges_;
};

template <class... Arguments>
MachineLaunch launch_of(const MachineKernel& kernel, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
                        Arguments... arguments) {
    MachineLaunch launch;
    launch.grid = grid;
    launch.block = block;
    std::size_t next = 0;
    const auto put = [&](auto argument) {
        const MachineParameter& parameter = kernel.parameters.at(next++);
        launch.parameters.resize(std::max<std::size_t>(launch.parameters.size(), parameter.offset + parameter.bytes));
        EXPECT_EQ(sizeof argument, parameter.bytes);
        std::memcpy(launch.parameters.data() + parameter.offset, &argument, sizeof argument);
    };
    (put(arguments), ...);
    return launch;
}

}  // namespace lanework
