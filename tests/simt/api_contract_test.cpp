// The runtime API ends every call of the contract as CUDA's own does.
#include <gtest/gtest.h>

#include <string>

#include "tests/simt/api_contract.hpp"

namespace {

const contract::Answer kRecorded[] = {
#include "tests/simt/api_contract_recorded.inc"
};

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
        EXPECT_EQ(here.error, there.error) << here.call;
        EXPECT_EQ(here.left_behind, there.left_behind) << here.call;
    }
}

}  // namespace
