// Records the errors that CUDA's own runtime answers with. From the root of the project:
//   nvcc -std=c++17 -arch=native -I. tests/simt/api_contract_record.cu -o record
//   ./record > tests/simt/api_contract_recorded.inc
#include <cstdio>

#include "tests/simt/api_contract.hpp"

int main() {
    const contract::Transcript transcript = contract::whole();
    for (const contract::Answer& answer : transcript.answers())
        std::printf("{R\"(%s)\", %d, %d},\n", answer.call, answer.error, answer.left_behind);
}
