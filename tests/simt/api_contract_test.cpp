// The runtime API ends every call of the contract as CUDA's own does, but for the differences listed here.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/simt/api_contract.hpp"

namespace {

const contract::Answer kRecorded[] = {
#include "tests/simt/api_contract_recorded.inc"
};

// CUDA documents cudaErrorInvalidConfiguration for a launch that no device could hold, and answered so for years;
// CUDA 13.0 answers cudaErrorInvalidValue. The documented code says more.
bool launch_is_impossible(const std::string& call) {
    return call.find("cudaLaunchKernel") == 0 && call.find("232449") == std::string::npos;
}

std::string squeezed(std::string text) {
    std::erase(text, ' ');
    return text;
}

TEST(Contract, EveryCallEndsAsOnAnH200) {
    cudaDeviceReset();
    const contract::Transcript transcript = contract::whole();
    ASSERT_EQ(transcript.answers().size(), std::size(kRecorded));
    for (std::size_t i = 0; i < std::size(kRecorded); ++i) {
        const contract::Answer &here = transcript.answers()[i], &there = kRecorded[i];
        ASSERT_EQ(squeezed(here.call), squeezed(there.call));
        const bool differs = launch_is_impossible(here.call) && there.error == cudaErrorInvalidValue;
        const int error = differs ? cudaErrorInvalidConfiguration : there.error;
        EXPECT_EQ(here.error, error) << here.call;
        EXPECT_EQ(here.left_behind, differs ? error : there.left_behind) << here.call;
    }
}

}  // namespace
