// Which ids of atoms a file has used already.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace lanework::particle_text {

/// Most files count their atoms from 1: those ids take a bit each.
class AtomIds {
public:
    explicit AtomIds(std::size_t atoms) : seen_(atoms + 1) {}

    /// False for one that an earlier atom has. Programs that give their atoms no ids write 0 for each.
    bool add(std::int64_t id) {
        if (id == 0) return true;
        if (id < 0 || static_cast<std::size_t>(id) >= seen_.size()) return others_.insert(id).second;
        if (seen_[static_cast<std::size_t>(id)]) return false;
        return seen_[static_cast<std::size_t>(id)] = true;
    }

private:
    std::vector<bool> seen_;
    std::unordered_set<std::int64_t> others_;
};

}  // namespace lanework::particle_text
