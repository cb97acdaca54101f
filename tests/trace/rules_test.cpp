// Each rule about memory speaks from its threshold on and is silent just below.
#include "src/trace/rules/rules.hpp"

#include <gtest/gtest.h>

#include "tests/trace/rule_samples.hpp"

namespace lanework {
namespace {

TEST(Rules, AreSilentAboutAGoodLaunch) {
    const std::vector<Finding> findings =
        findings_of(global_site({.requests = 100, .sectors = 400, .ideal_sectors = 400, .lanes = 3200}));
    for (const Finding& finding : findings) ADD_FAILURE() << name_of(finding.rule) << ": " << finding.evidence;
}

TEST(Rules, TwiceTheSectorsIsUncoalesced) {
    const auto sectors = [](std::uint64_t count) {
        return global_site({.requests = 100, .sectors = count, .ideal_sectors = 400});
    };
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, sectors(800)), "warning");
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, sectors(799)), "");
    EXPECT_EQ(severity_of(Rule::excessive_sectors, sectors(799)), "warning");
    EXPECT_EQ(severity_of(Rule::excessive_sectors, sectors(800)), "");
    EXPECT_EQ(severity_of(Rule::excessive_sectors, sectors(440)), "advice");
    EXPECT_EQ(severity_of(Rule::excessive_sectors, sectors(439)), "");
}

TEST(Rules, SectorsMatterAsMuchAsTheyAreOfTheWhole) {
    const auto beside = [](std::uint64_t others) {
        return std::vector<PlacedSite>{
            global_site({.requests = 250, .sectors = 2000, .ideal_sectors = 1000}),
            global_site({.requests = 1, .sectors = others, .ideal_sectors = others}, EventKind::store, 2)};
    };
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, beside(7000)), "warning");
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, beside(9000)), "advice");
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, beside(47'000)), "advice");
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, beside(49'000)), "");
}

TEST(Rules, SayWhatWasCountedWhereAndHowTheLanesLie) {
    PlacedSite site = global_site({.requests = 10, .sectors = 320, .ideal_sectors = 40}, EventKind::store, 17);
    site.example = example(4, 4096);
    const std::vector<Finding> findings = findings_of(site);
    const Finding* finding = find(findings, Rule::uncoalesced_access);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->evidence,
              "stores touch 32.0 sectors per request where 4.0 would hold the bytes: lanes are 4096 bytes apart");
    EXPECT_EQ(finding->place.line, 17);
    EXPECT_NEAR(finding->weight, 280.0 / 320, 1e-9);
}

TEST(Rules, SayWhatTearsLanesThatLieSideBySide) {
    PlacedSite site = global_site({.requests = 10, .sectors = 50, .ideal_sectors = 40}, EventKind::load, 17);
    const auto evidence = [&] {
        const std::vector<Finding> findings = findings_of(site);
        const Finding* const torn = find(findings, Rule::excessive_sectors);
        return torn ? torn->evidence : "";
    };
    site.example = example(4, 4);
    for (std::uint64_t& address : site.example->address) address += 8;
    EXPECT_TRUE(
        contains(evidence(), "would hold the bytes: lanes lie side by side, but the first begins within a sector"))
        << evidence();
    site.example->lanes = 0x55555555;
    EXPECT_TRUE(contains(evidence(), ": lanes lie side by side, and some between them take no part")) << evidence();
    site.example = example(4, 8);
    EXPECT_TRUE(contains(evidence(), ": lanes are 8 bytes apart")) << evidence();
}

TEST(Rules, BankConflictsCountFromAHundredthOfTheCost) {
    const auto passes = [](std::uint64_t count) {
        PlacedSite site = placed();
        site.site.space = Space::shared;
        site.site.shared = {.requests = 100, .wavefronts = count, .ideal_wavefronts = 100, .most_wavefronts = 2};
        return site;
    };
    EXPECT_EQ(severity_of(Rule::bank_conflict, passes(200)), "warning");
    EXPECT_EQ(severity_of(Rule::bank_conflict, passes(102)), "advice");
    EXPECT_EQ(severity_of(Rule::bank_conflict, passes(101)), "");
    EXPECT_EQ(severity_of(Rule::bank_conflict, passes(100)), "");
    const std::vector<Finding> findings = findings_of(passes(200));
    EXPECT_TRUE(contains(findings.front().evidence, "reads take 2.0 passes per request where 1.0 would do, 2-way"))
        << findings.front().evidence;
}

TEST(Rules, BankConflictsNameTheDistanceInWords) {
    PlacedSite site = placed(EventKind::store);
    site.site.space = Space::shared;
    site.site.shared = {.requests = 1, .wavefronts = 32, .ideal_wavefronts = 1, .most_wavefronts = 32};
    site.example = example(4, 128);
    const std::vector<Finding> findings = findings_of(site);
    ASSERT_TRUE(find(findings, Rule::bank_conflict));
    EXPECT_TRUE(contains(findings.front().evidence, "writes take 32.0")) << findings.front().evidence;
    EXPECT_TRUE(contains(findings.front().evidence, "lanes are 32 words apart")) << findings.front().evidence;
}

TEST(Rules, LoadsAreRedundantFromHalfOn) {
    const auto repeated = [](std::uint64_t count, EventKind kind = EventKind::load, std::uint64_t ideal = 1000) {
        return global_site(
            {.requests = 250, .sectors = 1000, .ideal_sectors = ideal, .repeated_sectors = count, .lanes = 8000}, kind);
    };
    EXPECT_EQ(severity_of(Rule::redundant_loads, repeated(500)), "warning");
    EXPECT_EQ(severity_of(Rule::redundant_loads, repeated(499)), "");
    EXPECT_EQ(severity_of(Rule::redundant_loads, repeated(900, EventKind::store)), "");
    EXPECT_EQ(severity_of(Rule::redundant_loads, repeated(900, EventKind::load, 500)), "") << "the pattern is at fault";
    EXPECT_EQ(severity_of(Rule::redundant_loads, repeated(900, EventKind::load, 501)), "warning");
    std::vector<PlacedSite> beside{repeated(500), global_site({.requests = 1, .sectors = 4100, .ideal_sectors = 4100})};
    EXPECT_EQ(severity_of(Rule::redundant_loads, beside), "") << "a tenth of the cost is not reached";
}

TEST(Rules, WhatALaneLoadsSideBySideCouldBeAVector) {
    const auto lanes = [](std::int64_t step, std::uint64_t repeated, EventKind kind = EventKind::load) {
        PlacedSite site = placed(kind, 4);
        site.site.global = {
            .requests = 30, .sectors = 360, .ideal_sectors = 120, .repeated_sectors = repeated, .lanes = 960};
        site.example = example(4, step);
        return site;
    };
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(12, 240)), "advice");
    EXPECT_TRUE(contains(find(findings_of(lanes(12, 240)), Rule::narrow_vectors)->evidence, "side by side"));
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(12, 100)), "") << "what lies between is not loaded";
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(128, 240)), "") << "far apart";
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(12, 240, EventKind::store)), "");
}

TEST(Rules, NeighboursInOrderCouldBeVectors) {
    const auto lanes = [](unsigned bytes, std::int64_t step, EventKind kind = EventKind::load) {
        PlacedSite site = placed(kind, bytes);
        site.site.global = {
            .requests = 10, .sectors = 40, .ideal_sectors = 40, .distinct_addresses = 320, .lanes = 320};
        site.example = example(bytes, step);
        return site;
    };
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(1, 1)), "advice");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(4, 4, EventKind::store)), "advice");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(8, 8)), "advice");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(16, 16)), "");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(4, 8)), "");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(4, -4)), "");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(4, 0)), "");
    EXPECT_EQ(severity_of(Rule::narrow_vectors, lanes(4, 4, EventKind::reduction)), "");
    PlacedSite unseen = lanes(4, 4);
    unseen.example.reset();
    EXPECT_EQ(severity_of(Rule::narrow_vectors, unseen), "");
}

TEST(Rules, ConstantMemoryServesOneAddressAtATime) {
    const auto addresses = [](std::uint64_t distinct) {
        PlacedSite site = placed();
        site.site.space = Space::constant;
        site.site.constant = {.requests = 100, .distinct_addresses = distinct};
        return site;
    };
    EXPECT_EQ(severity_of(Rule::constant_serialised, addresses(3200)), "warning");
    EXPECT_EQ(severity_of(Rule::constant_serialised, addresses(110)), "advice");
    EXPECT_EQ(severity_of(Rule::constant_serialised, addresses(109)), "");
    EXPECT_EQ(severity_of(Rule::constant_serialised, addresses(100)), "");
}

TEST(Rules, TwoLanesOnOneAddressContend) {
    const auto lanes_on = [](std::uint64_t distinct, EventKind kind) {
        return global_site({.requests = 100,
                            .sectors = 100,
                            .ideal_sectors = 100,
                            .distinct_addresses = distinct,
                            .lanes = 3200,
                            .most_lanes_per_address = 9},
                           kind);
    };
    EXPECT_EQ(severity_of(Rule::atomic_contention, lanes_on(1600, EventKind::reduction)), "warning");
    EXPECT_EQ(severity_of(Rule::atomic_contention, lanes_on(1601, EventKind::reduction)), "");
    EXPECT_EQ(severity_of(Rule::atomic_contention, lanes_on(100, EventKind::atomic)), "warning");
    EXPECT_EQ(severity_of(Rule::atomic_contention, lanes_on(100, EventKind::load)), "");
    const std::vector<Finding> findings = findings_of(lanes_on(1600, EventKind::reduction));
    EXPECT_EQ(find(findings, Rule::atomic_contention)->evidence,
              "2.0 lanes of a request update one address, 9 at most");
}

/// What is found of it where a compiler said so much of a kernel, or none was asked.
std::vector<Finding> local_memory(const KernelTrace& launch, std::optional<int> stack, std::optional<int> spilled) {
    std::vector<Finding> findings;
    find_cost_rule(Rule::local_memory)
        ->find({.launch = launch,
                .counters = launch.counters(),
                .gpu = h200(),
                .resources = {},
                .stack_bytes = stack,
                .spilled_bytes = spilled},
               findings);
    return findings;
}

TEST(Rules, LocalMemoryIsWhatTheCompilerSays) {
    const KernelTrace launch = full_launch();
    const auto local = [&](std::optional<int> stack, std::optional<int> spilled) {
        const std::vector<Finding> findings = local_memory(launch, stack, spilled);
        return findings.empty() ? std::string() : findings.front().evidence;
    };
    EXPECT_EQ(local({}, {}), "");
    EXPECT_EQ(local(0, 0), "");
    EXPECT_EQ(local(256, 0), "an array of 256 bytes per thread lies in memory (kernel, ptxas for sm_90)");
    EXPECT_EQ(local(16, 24), "24 bytes of registers are spilled to memory (kernel, ptxas for sm_90)");
}

TEST(Rules, AnArrayThatIsIndexedIsSaidWithoutBytesWhereNoCompilerWasAsked) {
    KernelTrace launch = full_launch();
    PlacedSite loop = placed(EventKind::path, 0, 18);
    loop.site.branch.entries = 1000;
    loop.indexed_on_stack = 3;
    const auto evidence = [&](std::optional<int> stack) { return local_memory(launch, stack, stack); };
    EXPECT_TRUE(evidence({}).empty());
    launch.sites = {loop};
    ASSERT_EQ(evidence({}).size(), 1U);
    EXPECT_EQ(evidence({})[0].place.line, 18);
    EXPECT_EQ(evidence({})[0].severity, Severity::advice);
    EXPECT_TRUE(contains(evidence({})[0].evidence, "3000 times as written"));
    EXPECT_FALSE(contains(evidence({})[0].evidence, "bytes"));
    EXPECT_TRUE(evidence(0).empty()) << "ptxas was asked, and keeps it in registers";
    launch.sites[0].unrolled = true;
    EXPECT_TRUE(evidence({}).empty()) << "a GPU's compiler leaves no index";
    launch.sites[0].unrolled = false;
    launch.sites[0].emulates = true;
    EXPECT_TRUE(evidence({}).empty()) << "the device's headers do what a GPU has an instruction for";
    launch.sites = {loop, global_site({.requests = 100000})};
    EXPECT_TRUE(evidence({}).empty()) << "3% of the accesses";

    auto machine = std::make_shared<MachineTrace>();
    auto kernel = std::make_shared<MachineKernel>();
    kernel->stack_bytes = 64;
    machine->kernel = kernel;
    launch.machine = machine;
    ASSERT_EQ(evidence({}).size(), 1U);
    EXPECT_TRUE(contains(evidence({})[0].evidence, "64 bytes per thread lie in memory"));
    EXPECT_EQ(evidence({})[0].severity, Severity::warning);
}

TEST(Rules, StoresAreRedundantWhereTheirThreadStoredLast) {
    const CostRule& rule = *find_cost_rule(Rule::redundant_stores);
    const Demand demand;
    const ModelledTime time;
    // Each lane's k-th store goes to its place, or beside the one before.
    const auto found = [&](EventKind kind, std::int64_t step, int times) {
        KernelTrace launch = full_launch();
        Site site = site_of(4, kind);
        const std::unique_ptr<Analyser> analyser = rule.analyser();
        analyser->launch_begins(launch.shape);
        for (int k = 0; k < times; ++k) {
            analyser->request(request_at(site, every(4, k * step)));
            site.global.add({.requests = 1, .sectors = 4, .lanes = kLanes});
        }
        analyser->launch_ends(launch.shape);
        analyser->record(launch);
        launch.sites = {placed(kind)};
        launch.sites.front().site = site;
        std::vector<Finding> findings;
        rule.find({.launch = launch,
                   .counters = launch.counters(),
                   .gpu = h200(),
                   .resources = {},
                   .stack_bytes = {},
                   .spilled_bytes = {},
                   .demand = &demand,
                   .time = &time},
                  findings);
        return findings.empty() ? std::string() : findings.front().evidence;
    };
    EXPECT_EQ(found(EventKind::store, 0, 4), "75% of these stores go where the same thread stored just before");
    EXPECT_EQ(found(EventKind::store, 128, 4), "");
    EXPECT_EQ(found(EventKind::store, 0, 1), "");
    EXPECT_EQ(found(EventKind::load, 0, 4), "");
    EXPECT_EQ(found(EventKind::reduction, 0, 4), "");
}

TEST(Rules, WhatAThreadLoadsSideBySideCouldBeWiderWhereverTheOtherLanesAre) {
    const CostRule& rule = *find_cost_rule(Rule::narrow_vectors);
    // Each lane is somewhere else. It loads the channels of two rows by turns, `apart` bytes from one to the next.
    const auto found = [&](std::int64_t apart, unsigned bytes, EventKind kind = EventKind::load, int turns = 1) {
        KernelTrace launch = full_launch();
        std::vector<Site> sites;
        for (unsigned id = 0; id < 8; ++id) sites.push_back(site_of(bytes, kind, Space::global, id));
        const std::unique_ptr<Analyser> analyser = rule.analyser();
        analyser->launch_begins(launch.shape);
        for (int channel = 0; channel < 4 * turns; ++channel)
            for (int row = 0; row < 2; ++row) {
                Site& site = sites[static_cast<std::size_t>(2 * (channel % 4) + row)];
                const auto place = [&](int lane) { return 4096 * (lane * lane % 61) + 100000 * row + apart * channel; };
                analyser->request(request_at(site, place));
                site.global.add({.requests = 1, .sectors = 32, .lanes = kLanes});
            }
        analyser->launch_ends(launch.shape);
        analyser->record(launch);
        for (const Site& site : sites) {
            launch.sites.push_back(placed(kind));
            launch.sites.back().site = site;
            launch.sites.back().place.line = static_cast<int>(site.id);
        }
        std::vector<Finding> findings;
        rule.look({.launch = launch,
                   .counters = launch.counters(),
                   .gpu = h200(),
                   .resources = {},
                   .stack_bytes = {},
                   .spilled_bytes = {}},
                  findings);
        return findings;
    };
    const std::vector<Finding> bytes = found(1, 1);
    ASSERT_EQ(bytes.size(), 6U) << "all but the first channel of each row";
    EXPECT_EQ(bytes.front().place.line, 2);
    EXPECT_EQ(bytes.front().evidence, "each lane loads elements that lie side by side, 1 byte at a time");
    EXPECT_TRUE(found(2, 1).empty()) << "a byte lies between";
    EXPECT_EQ(found(4, 4).size(), 6U);
    EXPECT_TRUE(found(16, 16).empty()) << "as wide as it gets";
    const std::vector<Finding> stores = found(1, 1, EventKind::store);
    ASSERT_EQ(stores.size(), 6U);
    EXPECT_EQ(stores.front().evidence, "each lane stores elements that lie side by side, 1 byte at a time");
    EXPECT_TRUE(found(1, 1, EventKind::reduction).empty());
    EXPECT_TRUE(found(1, 1, EventKind::load, 100).empty()) << "a walk over an array";
}

}  // namespace
}  // namespace lanework
