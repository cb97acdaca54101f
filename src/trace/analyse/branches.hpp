// Branches: which lanes go on together from one basic block to the next, and where they part.
#pragma once

#include <unordered_map>
#include <vector>

#include "src/trace/analyse/analyser.hpp"

namespace lanework {

class Branches final : public Analyser {
public:
    bool sees_steps() const override { return true; }
    void launch_begins(const LaunchShape& shape) override;
    void block_begins(std::uint64_t block) override;
    void step(const Step& step) override;
    void block_ends(std::uint64_t block) override;
    void launch_ends(const LaunchShape& shape) override;
    void record(KernelTrace& trace) const override;

private:
    /// Lanes that entered a block together and have not all entered the next one.
    struct Group {
        Site* site;
        std::uint32_t lanes;  // still in it
        const Site* next;     // where the first of them went; null before
        bool parted;
    };
    struct WarpGroups {
        std::vector<Group> open;
        std::uint64_t entered = 0;
    };
    /// Where warps went from a site: a block with one way on ends in no branch.
    struct Ways {
        const Site* first = nullptr;
        bool several = false;
        std::uint64_t left = 0, divergent = 0;
        Site* site = nullptr;
    };

    void leave(Group& group, const Site& to, std::uint32_t lanes);
    void close(const Group& group);
    Ways& ways(Site& site);

    unsigned warps_ = 0;
    std::uint64_t longest_warp_ = 0;
    std::unordered_map<std::uint64_t, std::vector<WarpGroups>> blocks_;
    std::vector<Ways> ways_;  // by site id
    std::uint64_t last_block_ = ~std::uint64_t{0};
    std::vector<WarpGroups>* last_warps_ = nullptr;
};

}  // namespace lanework
