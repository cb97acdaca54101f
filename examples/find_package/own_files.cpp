// Files of one's own: a picture's edges, as a picture again, and how many neighbours the atoms of a file have.
//   own_files photo.jpg edges.png atoms.xyz
#include <cstdio>
#include <exception>
#include <lanework/image.hpp>
#include <lanework/image_file.hpp>
#include <lanework/neighbors.hpp>
#include <lanework/particle_file.hpp>

namespace {

void draw_edges(const char* from, const char* to, lanework::Team team) {
    const lanework::Image photo = lanework::read_image(from);
    lanework::Image gray{photo.height, photo.width, 1, std::vector<std::uint8_t>(photo.pixels.size() / photo.channels)};
    lanework::Image edges = gray;
    if (photo.channels == 1)
        gray = photo;
    else
        lanework::gray(photo.view(), gray.view(), {}, team);
    lanework::sobel(std::as_const(gray).view(), edges.view(), {}, team);
    lanework::write_image(to, edges);
    std::printf("%s: %lldx%lld pixels\n", to, static_cast<long long>(edges.height),
                static_cast<long long>(edges.width));
}

void count_neighbors(const char* file, lanework::Team team) {
    const lanework::ParticleSystem atoms = lanework::read_particles(file).system;
    lanework::NeighborOptions options;
    options.cutoff = 1.9;
    const lanework::NeighborList<double> list = lanework::neighbors(atoms.view(), options, team);
    std::printf("%lld atoms, %zu pairs\n", static_cast<long long>(atoms.atoms()), list.indices.size());
}

}  // namespace

int main(int count, char** words) try {
    if (count != 4) {
        std::fprintf(stderr, "usage: own_files PICTURE EDGES.png ATOMS\n");
        return 2;
    }
    draw_edges(words[1], words[2], lanework::Team{2});
    count_neighbors(words[3], lanework::Team{2});
} catch (const std::exception& error) {
    std::fprintf(stderr, "own_files: %s\n", error.what());
    return 1;
}
