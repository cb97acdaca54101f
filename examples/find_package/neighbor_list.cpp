// The neighbour list of a simple cubic crystal in a periodic box: six atoms at the distance of the lattice, twelve at
// its diagonal.
#include <cstdio>
#include <exception>
#include <lanework/neighbors.hpp>
#include <lanework/target.hpp>
#include <vector>

namespace {

constexpr int kCells = 10;
constexpr double kLattice = 3.0;  // Å

std::vector<float> crystal() {
    std::vector<float> positions;
    for (int x = 0; x < kCells; ++x)
        for (int y = 0; y < kCells; ++y)
            for (int z = 0; z < kCells; ++z)
                for (const int cell : {x, y, z}) positions.push_back(static_cast<float>(kLattice * cell));
    return positions;
}

}  // namespace

int main() try {
    const auto device = lanework::best_device();
    const std::vector<float> positions = crystal();
    const double length = kLattice * kCells;
    const lanework::PeriodicBox box = lanework::PeriodicBox::orthorhombic(length, length, length);
    const lanework::Particles<float> particles{.positions = positions, .boxes = {&box, 1}};
    const auto list = lanework::neighbors(particles, {.cutoff = 1.5 * kLattice, .distances = true}, *device);
    std::printf("on %s: %lld atoms, %lld pairs, %lld of them of the first atom\n", device->info().id.c_str(),
                static_cast<long long>(list.atoms()), static_cast<long long>(list.pairs()),
                static_cast<long long>(list.count(0)));
} catch (const std::exception& error) {
    std::fprintf(stderr, "neighbor_list: %s\n", error.what());
    return 1;
}
