// Kernels that a test writes line by line, as nvdisasm prints them, and executes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "tests/sass/recorded_kernels.hpp"

namespace lanework {

inline constexpr int kGlobal = static_cast<int>(MachineSpace::global), kShared = static_cast<int>(MachineSpace::shared),
                     kLocal = static_cast<int>(MachineSpace::local);
inline constexpr int kLoad = static_cast<int>(MachineAccessKind::load),
                     kStore = static_cast<int>(MachineAccessKind::store),
                     kAtomic = static_cast<int>(MachineAccessKind::atomic),
                     kReduction = static_cast<int>(MachineAccessKind::reduction);

inline MachineKernel kernel_of(std::vector<std::string> lines) {
    std::string text = "\t.target\tsm_90\n//--------------------- .text.f --------------------------\n";
    int address = 0;
    char number[16];
    for (const std::string& line : lines) {
        if (line.ends_with(':')) {
            text += line + "\n";
            continue;
        }
        std::snprintf(number, sizeof number, "/*%04x*/ ", address);
        text += number + line + " ;\n";
        address += 16;
    }
    return read_machine_code(text).kernels.at(0);
}

/// Moves that put the address into R2 and R3.
inline std::vector<std::string> with_address(std::uint64_t address, std::vector<std::string> code) {
    code.insert(code.begin(), {"MOV R2, " + std::to_string(static_cast<std::uint32_t>(address)),
                               "MOV R3, " + std::to_string(address >> 32)});
    return code;
}

/// The words that a launch leaves, which its code finds at R2 and R3; all 0 before.
inline std::vector<int> left_by(std::vector<std::string> code, unsigned blocks, unsigned threads,
                                MachineVariation variation) {
    std::vector<int> out(2, 0);
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.variation = variation;
    code.emplace_back("EXIT");
    const MachineRun run = execute(kernel_of(with_address(world.show(out), code)), launch, world);
    EXPECT_TRUE(run.complete()) << run.error;
    return out;
}

/// Even lanes' generic address in R12 and R13 is byte `offset` of shared memory, odd lanes' the same of their own.
inline std::vector<std::string> with_generic_addresses(const std::string& offset, std::vector<std::string> code) {
    code.insert(code.begin(),
                {"S2R R9, SR_TID.X", "LOP3.LUT R9, R9, 0x1, RZ, 0xc0, !PT", "ISETP.NE.AND P0, PT, R9, RZ, PT",
                 "MOV R12, " + offset, "MOV R13, 0x7f000000", "@P0 MOV R13, 0x7e000000"});
    return code;
}

/// What R12 is after the code, of each of 32 lanes: R8 and R9 hold `a` and `b`.
inline std::vector<std::uint32_t> computed(std::uint32_t a, std::uint32_t b, std::vector<std::string> code) {
    std::vector<std::uint32_t> out(1);
    SharedMemoryWorld world;
    std::vector<std::string> all = {"MOV R8, " + std::to_string(a), "MOV R9, " + std::to_string(b)};
    all.insert(all.end(), code.begin(), code.end());
    all.insert(all.end(), {"STG.E desc[UR4][R2.64], R12", "EXIT"});
    const MachineRun run = execute(kernel_of(with_address(world.show(out), all)), {}, world);
    EXPECT_TRUE(run.complete()) << run.error;
    return out;
}

}  // namespace lanework
