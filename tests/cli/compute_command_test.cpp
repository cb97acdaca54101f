// lanework compute: arrays of a user's own, right on every device that needs no hardware, and one line for each
// mistake.
#include <cstdint>
#include <cstring>
#include <vector>

#include "src/io/npz.hpp"
#include "tests/cli/run.hpp"

namespace lanework {
namespace {

class Compute : public testing::Test {
protected:
    Folder folder_;

    std::string at(const std::string& name) { return (folder_ / name).string(); }
    template <class T>
    std::string save(const std::string& name, const char* descriptor, const std::vector<std::int64_t>& shape,
                     const std::vector<T>& values) {
        std::ofstream file(folder_ / name, std::ios::binary);
        if (name.ends_with(".npy")) file << npy_header(descriptor, shape);
        file.write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(T)));
        return at(name);
    }
    /// The elements of a .npy file with this header; none where it has another.
    template <class T>
    std::vector<T> load(const std::string& name, const char* descriptor, const std::vector<std::int64_t>& shape) {
        const std::string file = contents(folder_ / name), header = npy_header(descriptor, shape);
        EXPECT_EQ(file.substr(0, header.size()), header) << name;
        std::vector<T> values((file.size() - header.size()) / sizeof(T));
        std::memcpy(values.data(), file.data() + header.size(), values.size() * sizeof(T));
        return values;
    }
    void compute(const std::string& words) {
        const Said said = lanework_with("compute " + words);
        EXPECT_EQ(said.status, 0) << words << "\n" << said.err;
        EXPECT_EQ(said.out, "") << words;
    }
};

TEST_F(Compute, MultipliesTransposesAndReducesOnEachDevice) {
    const std::string a = save<float>("a.npy", "<f4", {2, 3}, {1, 2, 3, 4, 5, 6}),
                      b = save<float>("b.npy", "<f4", {3, 2}, {1, 0, 0, 1, 2, 2});
    for (const std::string device : {"cpu", "simt"}) {
        compute("matmul " + a + " " + b + " -o " + at("c.npy") + " --device " + device);
        EXPECT_EQ(load<float>("c.npy", "<f4", {2, 2}), (std::vector<float>{7, 8, 16, 17})) << device;
        compute("transpose " + a + " -o " + at("t.npy") + " --device " + device);
        EXPECT_EQ(load<float>("t.npy", "<f4", {3, 2}), (std::vector<float>{1, 4, 2, 5, 3, 6})) << device;
        compute("reduce " + a + " --variant argmax -o " + at("r.npy") + " --device " + device);
        EXPECT_EQ(load<std::int64_t>("r.npy", "<i8", {}), std::vector<std::int64_t>{5}) << device;
        compute("add " + a + " " + a + " -o " + at("z.npy") + " --device " + device);
        EXPECT_EQ(load<float>("z.npy", "<f4", {2, 3}), (std::vector<float>{2, 4, 6, 8, 10, 12})) << device;
    }
}

TEST_F(Compute, TakesRawNumbersAndTheKernelThatIsNamed) {
    const std::string raw = save<std::int32_t>("m.raw", "", {}, {1, 2, 3, 4, 5, 6});
    compute("transpose/padded_tile " + raw + " --dtype int32 --shape 3x2 -o " + at("t.raw") + " --device simt");
    const std::string file = contents(folder_ / "t.raw");
    std::vector<std::int32_t> found(6);
    ASSERT_EQ(file.size(), sizeof(std::int32_t) * found.size());
    std::memcpy(found.data(), file.data(), file.size());
    EXPECT_EQ(found, (std::vector<std::int32_t>{1, 3, 5, 2, 4, 6}));
    const std::string bytes = save<std::uint8_t>("bytes.raw", "", {}, {7, 7, 9});
    compute("histogram " + bytes + " --dtype uint8 --shape 3 -o " + at("h.npy"));
    const auto counts = load<std::uint64_t>("h.npy", "<u8", {256});
    EXPECT_EQ(counts[7], 2U);
    EXPECT_EQ(counts[9], 1U);
}

TEST_F(Compute, OfNothingIsNothing) {
    const std::string none = save<float>("none.npy", "<f4", {0, 5}, {}),
                      wide = save<float>("wide.npy", "<f4", {5, 0}, {});
    compute("transpose " + none + " -o " + at("t.npy"));
    EXPECT_EQ(load<float>("t.npy", "<f4", {5, 0}), std::vector<float>());
    compute("matmul " + wide + " " + none + " -o " + at("zero.npy"));
    EXPECT_EQ(load<float>("zero.npy", "<f4", {5, 5}), std::vector<float>(25));
}

TEST_F(Compute, SaysInOneLineWhatIsWrong) {
    const std::string a = save<float>("a.npy", "<f4", {2, 3}, {1, 2, 3, 4, 5, 6}),
                      doubles = save<double>("d.npy", "<f8", {2}, {1, 2}),
                      swapped = save<float>("s.npy", ">f4", {1}, {1}), cut = save<float>("cut.npy", "<f4", {9}, {1}),
                      raw = save<float>("a.raw", "", {}, {1, 2, 3}), out = " -o " + at("o.npy");
    const auto mistake = [](const std::string& words, int status, const std::string& message) {
        expect_mistake("compute " + words, status, message);
    };
    mistake("matmul " + a + " " + a + out, 2, "is 2×3, and its n is 2 where that of " + a + " is 3");
    mistake("matmul " + a + out, 2, "matmul: 1 input is given; 2 are right: a, b");
    mistake("matmul " + doubles + " " + doubles + out, 2, "holds float64; int32, float16, bfloat16, float32 are right");
    mistake("transpose " + doubles + out, 2, "holds float64; int32, uint32, float32 are right");
    mistake("add " + a + " " + a + " -o " + a, 2, "it is an input");
    mistake("add " + a + " " + a, 2, "-o FILE is missing");
    mistake("add " + a + " " + a + " -o " + at("o.txt"), 2, ".npy and .raw are right");
    mistake("gray " + a + out, 2, "gray is not computed on arrays from files; there are: add, gelu");
    mistake("reduce " + swapped + out, 6, "the most significant byte first");
    mistake("reduce " + cut + out, 6, "9 float32 elements are 36 bytes; the file has 4");
    mistake("reduce " + at("none.npy") + out, 6, "none.npy");
    mistake("reduce " + raw + out, 2, "raw numbers need --dtype and a --shape");
    mistake("reduce " + raw + " --dtype float32 --shape 4" + out, 6,
            "4 float32 elements are 16 bytes; the file has 12");
    mistake("reduce " + raw + " --dtype float33 --shape 3" + out, 2, "there is no such type");
    mistake("reduce " + raw + " --dtype float32 --shape 3x" + out, 2, "lengths joined by x are right");
    mistake("reduce " + a + " --variant mean" + out, 2, "mean");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o.npy"));
}

}  // namespace
}  // namespace lanework
