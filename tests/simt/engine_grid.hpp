// What the engine's tests share: a device without errors before and after, and arrays that kernels write.
#pragma once

#ifndef __CUDACC__
#define __CUDACC__ 1  // the device's language, too
#endif
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <lanework_simt/error.hpp>
#include <lanework_simt/schedule.hpp>
#include <string>
#include <vector>

using namespace lanework_simt;  // the engine's own functions, which a program does not see

/// Every test starts with no error, in the natural order, on two workers.
class Engine : public testing::Test {
protected:
    void SetUp() override { restore(); }
    void TearDown() override { restore(); }

    /// The error of the kernel that was launched last; its sentence is left in `detail`.
    cudaError_t failure() {
        const cudaError_t error = cudaGetLastError();
        detail = failure_detail();
        return error;
    }
    testing::AssertionResult detail_has(const std::string& part) const {
        if (detail.find(part) != std::string::npos) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "\"" << part << "\" is not in \"" << detail << "\"";
    }

    std::string detail;

private:
    static void restore() {
        clear_for_reset();
        set_schedule(0);
        set_worker_count(2);
    }
};
