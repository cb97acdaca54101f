// Who used which allocations: when memory comes or goes, its users are found without a look at all others.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "src/trace/record/word_values.hpp"

namespace lanework {

template <class User>
class UsersOfMemory {
public:
    void add(AddressSpan allocation, User user) {
        Users& all = by_base_[allocation.address];
        all.end = allocation.end();
        all.users.insert(user);
    }
    void remove(AddressSpan allocation, User user) {
        const auto known = by_base_.find(allocation.address);
        if (known == by_base_.end()) return;
        known->second.users.erase(user);
        if (known->second.users.empty()) by_base_.erase(known);
    }
    /// Each once, of all allocations that lie in the span at least in part.
    std::set<User> of(AddressSpan span) const {
        std::set<User> found;
        auto each = by_base_.lower_bound(span.address);
        if (each != by_base_.begin() && std::prev(each)->second.end > span.address) --each;
        for (; each != by_base_.end() && each->first < span.end(); ++each)
            found.insert(each->second.users.begin(), each->second.users.end());
        return found;
    }

private:
    struct Users {
        std::uint64_t end = 0;
        std::set<User> users;
    };
    /// Allocations do not overlap each other.
    std::map<std::uint64_t, Users> by_base_;
};

}  // namespace lanework
