// What the tests of <lanework/array.hpp> share: inputs and right answers of an operation, memory with gaps, devices.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <lanework/array.hpp>
#include <lanework/device_array.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>
#include <memory>
#include <string>
#include <vector>

#include "src/measure/compare.hpp"
#include "tests/devices.hpp"

namespace lanework::test {

/// A problem's arrays in host memory, filled with one of its inputs, and what is right.
struct Answered {
    const Operation& operation;
    Problem problem;
    InputIndex input;
    HostArrays arrays;

    Answered(std::string_view name, const Problem& of, InputIndex with)
        : operation(find_operation(name)), problem(of), input(with), arrays(operation, of) {
        operation.fill_with(input, problem, 7, arrays.buffers());
        operation.reference(problem, arrays.buffers());
    }
    template <class T>
    std::vector<T> array(std::size_t index) const {
        std::vector<T> values(arrays.specs()[index].count);
        if (!values.empty()) std::memcpy(values.data(), arrays.data(index), arrays.bytes(index));
        return values;
    }
    /// Fails where `found` is not the output array `index` within what the operation allows.
    template <class T>
    void expect(std::size_t index, const std::vector<T>& found, const std::string& where) {
        ASSERT_EQ(found.size(), arrays.specs()[index].count) << where;
        const Tolerance allowed = operation.tolerance_with(input, problem);
        std::vector<double> magnitudes(found.size());
        const bool shared =
            allowed.of_magnitude > 0 && operation.magnitudes(problem, arrays.buffers(), magnitudes.data());
        Differences differences;
        compare(arrays.specs()[index].dtype, arrays.data(index), found.data(), 0, found.size(), allowed,
                shared ? magnitudes.data() : nullptr, differences);
        EXPECT_EQ(differences.count, 0U) << where << ": at " << differences.first << " found " << differences.found
                                         << " where " << differences.right << " is right";
    }
    std::string name_of_input() const { return std::string(operation.name_of_input(input)); }
};

/// Calls body for random values and for every other input that the operation defines.
inline void for_each_input(std::string_view operation, const Problem& problem,
                           const std::function<void(Answered&)>& body) {
    const Operation& of = find_operation(operation);
    for (InputIndex input = kRandomInput; input <= of.inputs.size(); ++input) {
        if (!of.defines(input, problem)) continue;
        Answered answered(operation, problem, input);
        body(answered);
    }
}

/// A matrix in a device's memory that begins `before` elements into it, with `gap` elements between its rows, and bytes
/// around that are known.
template <class T>
class PitchedMatrix {
public:
    PitchedMatrix(Device& device, std::int64_t rows, std::int64_t cols, std::int64_t before, std::int64_t gap)
        : rows_(rows),
          cols_(cols),
          before_(before),
          pitch_(cols + gap),
          host_(static_cast<std::size_t>(before + rows * (cols + gap))),
          memory_(device, std::ssize(host_)) {
        std::memset(static_cast<void*>(host_.data()), 0x5a, host_.size() * sizeof(T));
        memory_.upload(host_);
    }
    PitchedMatrix(Device& device, std::int64_t rows, std::int64_t cols, std::int64_t before, std::int64_t gap,
                  const std::vector<T>& values)
        : PitchedMatrix(device, rows, cols, before, gap) {
        for (std::int64_t row = 0; row < rows; ++row)
            std::copy_n(values.data() + row * cols, cols, host_.data() + before_ + row * pitch_);
        memory_.upload(host_);
    }

    MatrixView<T> view() const {
        return {memory_.data() + before_, rows_, cols_, pitch_ * static_cast<std::int64_t>(sizeof(T))};
    }
    /// The elements; fails where one around them is not what it was.
    std::vector<T> values(const std::string& where) {
        const std::vector<T> now = memory_.to_host();
        std::vector<T> inside;
        std::size_t changed = 0;
        for (std::int64_t i = 0; i < std::ssize(now); ++i) {
            const std::int64_t from = i - before_;
            if (from >= 0 && from % pitch_ < cols_)
                inside.push_back(now[static_cast<std::size_t>(i)]);
            else
                changed +=
                    std::memcmp(&now[static_cast<std::size_t>(i)], &host_[static_cast<std::size_t>(i)], sizeof(T)) != 0;
        }
        EXPECT_EQ(changed, 0U) << where << ": elements between the rows were written";
        return inside;
    }

private:
    std::int64_t rows_, cols_, before_, pitch_;
    std::vector<T> host_;
    DeviceArray<T> memory_;
};

/// Scratch memory of a device.
struct Scratch {
    DeviceArray<std::byte> memory;
    Scratch(Device& device, std::size_t bytes) : memory(device, static_cast<std::int64_t>(bytes)) {}
    Workspace view() const { return {memory.data(), static_cast<std::size_t>(memory.size())}; }
};

/// What the exception says; empty where there is none, or of another type.
template <class Error>
std::string message(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace lanework::test
