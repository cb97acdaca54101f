// lanework compute: arrays of a user's own, right on every device that needs no hardware, and one line for each
// mistake.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <lanework/image_file.hpp>
#include <span>
#include <vector>

#include "src/io/file.hpp"
#include "src/io/json.hpp"
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
                      b = save<float>("b.npy", "<f4", {3, 2}, {1, 0, 0, 1, 2, 2}),
                      doubles = save<double>("d.npy", "<f8", {1, 2}, {1, 2});
    for (const std::string device : {"cpu", "simt"}) {
        compute("matmul " + a + " " + b + " -o " + at("c.npy") + " --device " + device);
        EXPECT_EQ(load<float>("c.npy", "<f4", {2, 2}), (std::vector<float>{7, 8, 16, 17})) << device;
        compute("transpose " + a + " -o " + at("t.npy") + " --device " + device);
        EXPECT_EQ(load<float>("t.npy", "<f4", {3, 2}), (std::vector<float>{1, 4, 2, 5, 3, 6})) << device;
        compute("transpose " + doubles + " -o " + at("t.npy") + " --device " + device);
        EXPECT_EQ(load<double>("t.npy", "<f8", {2, 1}), (std::vector<double>{1, 2})) << device;
        compute("reduce " + a + " --variant argmax -o " + at("r.npy") + " --device " + device);
        EXPECT_EQ(load<std::int64_t>("r.npy", "<i8", {}), std::vector<std::int64_t>{5}) << device;
        compute("add " + a + " " + a + " -o " + at("z.npy") + " --device " + device);
        EXPECT_EQ(load<float>("z.npy", "<f4", {2, 3}), (std::vector<float>{2, 4, 6, 8, 10, 12})) << device;
    }
}

TEST_F(Compute, MultipliesBytesIntoInt32AndByColumns) {
    const std::string a = save<std::int8_t>("a.npy", "|i1", {2, 3}, {127, -2, 3, 4, -128, 6}),
                      rows = save<std::int8_t>("rows.npy", "|i1", {3, 4}, {7, -8, 0, 1, 9, -10, 0, 1, 11, -12, 0, 1}),
                      columns =
                          save<std::int8_t>("columns.npy", "|i1", {4, 3}, {7, 9, 11, -8, -10, -12, 0, 0, 0, 1, 1, 1});
    const std::vector<std::int32_t> right{904, -1032, 0, 128, -1058, 1176, 0, -118};
    for (const std::string device : {"cpu", "simt"}) {
        compute("matmul " + a + " " + rows + " -o " + at("c.npy") + " --device " + device);
        EXPECT_EQ(load<std::int32_t>("c.npy", "<i4", {2, 4}), right) << device;
        compute("matmul " + a + " " + columns + " --variant nt -o " + at("c.npy") + " --device " + device);
        EXPECT_EQ(load<std::int32_t>("c.npy", "<i4", {2, 4}), right) << device;
    }
    expect_mistake("compute matmul " + a + " " + rows + " --variant nt -o " + at("c.npy"), 2,
                   "its n is 4 where that of");
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

TEST_F(Compute, TakesBitsForTheTypeThatIsNamed) {
    constexpr std::uint16_t kOne = 0x3f80, kTwo = 0x4000, kThree = 0x4040;  // of bfloat16
    const std::string a = save<std::uint16_t>("a.npy", "<u2", {1, 2}, {kOne, kOne}),
                      b = save<std::uint16_t>("b.npy", "<u2", {2, 1}, {kOne, kTwo}), to = " -o " + at("c.raw");
    compute("matmul " + a + " " + b + " --dtype bfloat16 --device cpu" + to);
    const std::string file = contents(folder_ / "c.raw");
    ASSERT_EQ(file.size(), sizeof kThree);
    EXPECT_EQ(std::memcmp(file.data(), &kThree, sizeof kThree), 0);
    expect_mistake("compute matmul " + a + " " + b + " --dtype float8_e4m3" + to, 2,
                   "holds uint16; with --dtype float8_e4m3 uint8 or float8_e4m3 is right");
    expect_mistake("compute matmul " + a + " " + b + " --dtype float32" + to, 2,
                   "holds uint16; with --dtype float32 float32");
    expect_mistake("compute transpose " + a + " --shape 2x1" + to, 2, "--shape is given 1 times, for 0 raw files");
}

TEST_F(Compute, TakesLessonsOnNumbersOfOnesOwnToo) {
    const std::string x = save<std::int32_t>("x.npy", "<i4", {2, 2}, {1, 2, 3, 4}),
                      c = save<std::int32_t>("c.npy", "<i4", {2}, {1, 10}),
                      start = save<std::int32_t>("s.npy", "<i4", {}, {9});
    for (const std::string device : {"cpu", "simt"}) {
        const std::string to = " -o " + at("y.npy") + " --device " + device;
        compute("coefficients " + x + " " + c + to);
        EXPECT_EQ(load<std::int32_t>("y.npy", "<i4", {2, 2}), (std::vector<std::int32_t>{22, 36, 52, 70})) << device;
        compute("copy " + x + to);
        EXPECT_EQ(load<std::int32_t>("y.npy", "<i4", {2, 2}), (std::vector<std::int32_t>{1, 2, 3, 4})) << device;
        compute("divergence " + x + " --size 0" + to);
        EXPECT_EQ(load<std::int32_t>("y.npy", "<i4", {2, 2}), (std::vector<std::int32_t>{1, 2, 3, 4})) << device;
        compute("index --size 5" + to);
        EXPECT_EQ(contents(folder_ / "y.npy").size() % 8, 0U) << device;
    }
    expect_mistake("compute divergence " + x + " -o " + at("y.npy"), 2,
                   "the size is missing; 1 number is right, which no input says: rounds");
    const std::string many = save<float>("many.npy", "<f4", {5000}, std::vector<float>(5000, 1)),
                      two = save<float>("two.npy", "<f4", {2}, {1, 1});
    expect_mistake("compute fma " + many + " " + two + " --size 3 -o " + at("y.npy"), 2,
                   "has 5000 elements; starts takes 4096 at most");
}

TEST_F(Compute, ReadsArraysInTheOrderOfTheirFiles) {
    // Of NumPy's order="F": the header says so, and the first index is the fastest. Here 2×3 and 2×3×2.
    const auto by_columns = [&](const std::string& name, const std::vector<std::int64_t>& shape,
                                const std::vector<std::int32_t>& values, const char* descriptor = "<i4") {
        std::string header = npy_header(descriptor, shape);
        header.replace(header.find("False"), 5, "True ");
        std::ofstream file(folder_ / name, std::ios::binary);
        file << header;
        file.write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(std::int32_t)));
        return at(name);
    };
    compute("copy " + by_columns("f.npy", {2, 3}, {1, 4, 2, 5, 3, 6}) + " -o " + at("c.npy"));
    EXPECT_EQ(load<std::int32_t>("c.npy", "<i4", {2, 3}), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
    compute("copy " + by_columns("f3.npy", {2, 3, 2}, {1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12}) + " -o " + at("c.npy"));
    EXPECT_EQ(load<std::int32_t>("c.npy", "<i4", {2, 3, 2}),
              (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    // The most significant byte first.
    compute("copy " + save<std::uint32_t>("s.npy", ">i4", {3}, {0x01000000, 0xfeffffff, 0x00010000}) + " -o " +
            at("c.npy"));
    EXPECT_EQ(load<std::int32_t>("c.npy", "<i4", {3}), (std::vector<std::int32_t>{1, -2, 256}));
    // Both at once.
    compute("copy " + by_columns("fs.npy", {2, 2}, {0x01000000, 0x03000000, 0x02000000, 0x04000000}, ">i4") + " -o " +
            at("c.npy"));
    EXPECT_EQ(load<std::int32_t>("c.npy", "<i4", {2, 2}), (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST_F(Compute, SaysWhatAFileHoldsThatIsNoArrayOfNumbers) {
    const auto mistake = [&](const char* descriptor, const std::string& message) {
        save<std::int32_t>("x.npy", descriptor, {2}, {1, 2});
        expect_mistake("compute copy " + at("x.npy") + " -o " + at("o.npy"), 6, message);
    };
    mistake("|b1", "its elements are booleans, `|b1`; there are: uint8");
    mistake("<c8", "complex numbers, `<c8`");
    mistake("<U2", "text, `<U2`");
    std::ofstream(folder_ / "none.npy");
    expect_mistake("compute copy " + at("none.npy") + " -o " + at("o.npy"), 6, "the file is empty");
    std::ofstream(folder_ / "words.npy") << "these are words";
    expect_mistake("compute copy " + at("words.npy") + " -o " + at("o.npy"), 6, "this is no .npy file");
    std::string header = npy_header("<f4", std::vector<std::int64_t>{2});
    header.replace(header.find("'<f4'"), 5, "[('x', '<f4')]");
    std::ofstream(folder_ / "records.npy") << header;
    expect_mistake("compute copy " + at("records.npy") + " -o " + at("o.npy"), 6, "records of several fields");
}

TEST_F(Compute, FinishesProductsAsItIsToldToOnEachDevice) {
    const std::string a = save<float>("a.npy", "<f4", {2, 3}, {1, 2, 3, 4, 5, 6}),
                      b = save<float>("b.npy", "<f4", {3, 2}, {1, 0, 0, 1, 2, 2}),
                      columns = save<float>("bt.npy", "<f4", {2, 3}, {1, 0, 2, 0, 1, 2}),
                      c = save<float>("c.npy", "<f4", {2, 2}, {1, 2, 3, 4}),
                      bias = save<float>("bias.npy", "<f4", {2}, {10, -100}), out = " -o " + at("o.npy");
    for (const std::string device : {" --device cpu", " --device simt"}) {
        const auto expect = [&](const std::string& words, const std::vector<float>& right) {
            compute("matmul " + words + out + device);
            EXPECT_EQ(load<float>("o.npy", "<f4", {2, 2}), right) << words << device;
        };
        expect(a + " " + b + " --alpha 2", {14, 16, 32, 34});
        expect(a + " " + columns + " --variant nt --alpha 2", {14, 16, 32, 34});
        expect(a + " " + b + " --bias " + bias, {17, -92, 26, -83});
        expect(a + " " + b + " " + c + " --alpha 2 --beta -0.5 --bias " + bias, {23.5, -85, 40.5, -68});
        expect(a + " " + b + " --bias " + bias + " --activation gelu", {17, 0, 26, 0});
        expect(a + " " + b + " " + c + " --alpha 0 --beta 1", {1, 2, 3, 4});
    }
    const std::string whole = save<std::int8_t>("w.npy", "|i1", {1, 2}, {100, 100}),
                      down = save<std::int8_t>("d.npy", "|i1", {2, 1}, {100, 27});
    compute("matmul " + whole + " " + down + " --alpha -3" + out);
    EXPECT_EQ(load<std::int32_t>("o.npy", "<i4", {1, 1}), std::vector<std::int32_t>{-38100});
    const auto mistake = [&](const std::string& words, int status, const std::string& message) {
        expect_mistake("compute " + words, status, message);
    };
    const std::string both = "matmul " + a + " " + b;
    mistake("add " + a + " " + a + " --alpha 2" + out, 2, "compute add takes no --alpha; it is for matmul");
    mistake("matmul/naive " + a + " " + b + " --alpha 2" + out, 2, "the kernel is chosen");
    mistake(both + " --alpha two" + out, 2, "--alpha `two` is not a finite number in float32");
    mistake(both + " --alpha 1e39" + out, 2, "is not a finite number in float32");
    mistake("matmul " + whole + " " + down + " --alpha 1.5" + out, 2, "is not a whole number of 32 bits");
    mistake("matmul " + whole + " " + down + " --activation gelu" + out, 2, "GELU of integers");
    mistake(both + " --activation relu" + out, 2, "--activation `relu` is not one of none, gelu, gelu_tanh");
    mistake(both + " --beta 1" + out, 2, "2 inputs are given; 3 are right with --beta");
    mistake(both + " " + c + " --alpha 2" + out, 2, "3 inputs are given; 2 are right");
    mistake(both + " --bias " + c + out, 2, "is 2×2; a vector of k is right");
    mistake(both + " " + a + " --beta 1" + out, 2, "its k is 3 where");
    mistake(both + " --bias " + whole + out, 2, "they must be of one type");
    mistake(both + " --bias " + bias + " -o " + bias, 2, "--bias names it, too");
    mistake(both + " --variant nn_gelu --alpha 2" + out, 2, "nn and nt are right");
    mistake(both + " --size 2 --alpha 2" + out, 2, "no size is right");
}

TEST_F(Compute, NamesTheArrayWhereAFileIsGivenTwice) {
    const std::string a = save<float>("a.npy", "<f4", {2, 3}, {1, 2, 3, 4, 5, 6});
    expect_mistake("compute matmul " + a + " " + a + " -o " + at("o.npy"), 2,
                   "a.npy (b) is 2×3, and its n is 2 where that of " + a + " (a) is 3");
    Npz archive;
    const float values[] = {1, 2};
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(values), sizeof values);
    archive.add("x", "<f4", {2}, bytes);
    archive.add("y", "<f4", {2}, bytes);
    write_file(at("xy.npz"), archive.pieces());
    expect_mistake("compute reduce " + at("xy.npz") + " -o " + at("o.npy"), 2,
                   "2 arrays are in the files, and one is right: FILE.npz:NAME is one of them");
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
                      cut = save<float>("cut.npy", "<f4", {9}, {1}), raw = save<float>("a.raw", "", {}, {1, 2, 3}),
                      out = " -o " + at("o.npy");
    const auto mistake = [](const std::string& words, int status, const std::string& message) {
        expect_mistake("compute " + words, status, message);
    };
    mistake("matmul " + a + out, 2, "matmul: 1 input is given; 2 are right: a, b");
    mistake("matmul " + doubles + " " + doubles + out, 2,
            "holds float64; int8, int32, float16, bfloat16, float8_e4m3, tfloat32, float32 are right");
    mistake("matmul " + a + " " + doubles + " --variant nt" + out, 2, "they must be of one type");
    mistake("transpose " + doubles + out, 2, "is a vector of 2; rows×cols is right");
    mistake("add " + a + " " + a + " -o " + a, 2, "it is an input");
    mistake("add " + a + " " + a, 2, "-o FILE is missing");
    mistake("add " + a + " " + a + " -o " + at("o.txt"), 2, ".npy, .npz and .raw are right");
    mistake("mma " + a + out, 2, "mma: 1 input is given; 2 are right: a, b");
    mistake("index " + a + out, 2, "index: 1 input is given; it takes none");
    mistake("divergence " + a + out, 2, "holds float32; int32 is right");
    mistake("read" + out, 2, "read: 0 inputs are given; 1 is right: in");
    mistake("write " + save<std::int32_t>("i.npy", "<i4", {1}, {1}) + out, 2, "is a vector of 1; a scalar is right");
    mistake("gray " + a + out, 2, "height×width×channels is right");
    mistake("blur " + at("d.npy") + out, 2, "holds float64");
    mistake("blur " + save<float>("v.npy", "<f4", {2}, {1, 2}) + out, 2,
            "is a vector of 2; height×width×channels or height×width is right");
    mistake("add " + a + " " + a + " --size 2x3" + out, 2, "every length follows from the input; no size is right");
    mistake("resize " + a + out, 2,
            "the size is missing; 2 numbers are right, which no input says: out_height x out_width");
    mistake("resize " + a + " --size 4" + out, 2, "the size has 1 number; 2 numbers are right");
    mistake("add " + a + " " + a + " --iou 0.5" + out, 2, "takes no --iou; it is for boxes");
    for (const char* wrong : {"1.45", "-0.1", "nan"})
        mistake("nms " + a + " " + a + " --iou " + wrong + out, 2, "a number from 0 to 1");
    mistake("add " + a + " " + a + " -o " + at("o.png"), 2, "a picture is uint8");
    mistake("reduce " + cut + out, 6, "9 float32 elements are 36 bytes; the file has 4");
    mistake("reduce " + at("none.npy") + out, 6, "none.npy");
    mistake("reduce " + raw + out, 2, "raw numbers need --dtype and a --shape");
    mistake("reduce " + raw + " --dtype float32 --shape 4" + out, 6,
            "4 float32 elements are 16 bytes; the file has 12");
    mistake("reduce " + raw + " --dtype float33 --shape 3" + out, 2, "there is no type `float33`");
    mistake("reduce " + raw + " --dtype float32 --shape 3x" + out, 2, "lengths joined by x are right");
    mistake("reduce " + a + " --variant mean" + out, 2, "mean");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o.npy"));
}

TEST_F(Compute, EveryOperationTakesArrays) {
    const Said listed = lanework_with("list --json -");
    ASSERT_EQ(listed.status, 0) << listed.err;
    const Json operations = Json::parse(listed.out).at("operations");
    ASSERT_GE(operations.size(), 33U);
    for (const Json& operation : operations) {
        const std::string name = operation.at(operation.contains("name") ? "name" : "operation").get<std::string>();
        const Said said = lanework_with("compute " + name + " -o " + at("none.npz"));
        EXPECT_EQ(said.err.find("is not computed on arrays"), std::string::npos) << said.err;
        EXPECT_EQ(said.err.find("there is no"), std::string::npos) << said.err;
    }
}

TEST_F(Compute, WritesSeveralArraysWhereThereAreSeveral) {
    const std::string first = save<std::int32_t>("first.npy", "<i4", {2}, {10, 20}),
                      values = save<std::int32_t>("values.npy", "<i4", {5}, {1, 2, 3, 4, 5});
    for (const std::string device : {"cpu", "simt"}) {
        compute("atomics " + first + " " + values + " --size 3 --variant add -o " + at("out.npz") + " -d " + device);
        compute("copy " + at("out.npz:final") + " -o " + at("final.npy"));
        EXPECT_EQ(load<std::int32_t>("final.npy", "<i4", {2}), (std::vector<std::int32_t>{16, 29})) << device;
        compute("coordinates --size 2x1x1x3x1x1 -o " + at("where.npy") + " -d " + device);
        const auto records = load<std::uint64_t>("where.npy", "<u8", {6, 18});
        ASSERT_EQ(records.size(), 108U);
        EXPECT_EQ(records[5 * 18 + 0], 1U) << "blockIdx.x of the last thread, " << device;
        EXPECT_EQ(records[5 * 18 + 3], 2U) << "threadIdx.x of the last thread, " << device;
    }
    const std::string words = "atomics " + first + " " + values;
    expect_mistake("compute " + words + " --size 3 -o " + at("o.npy"), 2, "2 arrays are made; .npz holds several");
    expect_mistake("compute " + words + " --size 2 -o " + at("o.npz"), 2, "has 2 elements; first takes 3");
    const std::string a = save<std::int8_t>("tile.npy", "|i1", {64, 128}, std::vector<std::int8_t>(8192, 1)),
                      b = save<std::int8_t>("tile2.npy", "|i1", {128, 256}, std::vector<std::int8_t>(32768, 2));
    compute("mma " + a + " " + b + " --size 1x3 -o " + at("sums.npy") + " -d cpu");
    EXPECT_EQ(load<std::int32_t>("sums.npy", "<i4", {1, 64, 256}), std::vector<std::int32_t>(16384, 3 * 128 * 2));
}

TEST_F(Compute, FitsAndTurnsArraysOfNumbersAsPythonDoes) {
    const std::string depth = save<float>("depth.npy", "<f4", {2, 4}, {1, 3, 5, 7, 1, 3, 5, 7}),
                      two = save<std::uint8_t>("two.npy", "|u1", {2, 2, 2, 3},
                                               {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  //
                                                21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32});
    for (const std::string device : {"cpu", "simt"}) {
        const std::string to = " --device " + device + " -o ";
        // Half the size, one row of it, and a row of pad below: the first of three is above.
        compute("letterbox " + depth + " --size 3x2 --pad 9" + to + at("boxed.npz"));
        compute("copy " + at("boxed.npz:out") + " -o " + at("boxed.npy"));
        EXPECT_EQ(load<float>("boxed.npy", "<f4", {3, 2}), (std::vector<float>{9, 9, 2, 6, 9, 9})) << device;
        for (const NpzMember& member : parse_npz(read_file(at("boxed.npz")), "boxed.npz"))
            if (member.name == "to_source") write_file(folder_ / "back.npy", std::span<const std::uint8_t>(member.npy));
        EXPECT_EQ(load<double>("back.npy", "<f8", {1, 2, 3}), (std::vector<double>{2, 0, 0, 0, 2, -2})) << device;
        // Red and blue change places, and planes come first, of both pictures.
        compute("tensor " + two + " --size 2x2 --swap --scale 1" + to + at("input.npy"));
        EXPECT_EQ(load<float>("input.npy", "<f4", {2, 3, 2, 2}),
                  (std::vector<float>{3,  6,  9,  12, 2,  5,  8,  11, 1,  4,  7,  10,  //
                                      23, 26, 29, 32, 22, 25, 28, 31, 21, 24, 27, 30}))
            << device;
        compute("tensor " + two + " --size 2x2 --to float16" + to + at("half.npy"));
        EXPECT_EQ(load<std::uint16_t>("half.npy", "<f2", {2, 3, 2, 2}).size(), 24U) << device;
        compute("warp " + depth + " --rotate 180" + to + at("turned.npy"));
        EXPECT_EQ(load<float>("turned.npy", "<f4", {2, 4}), (std::vector<float>{7, 5, 3, 1, 7, 5, 3, 1})) << device;
        compute("sobel_derivative " + depth + to + at("gx.npy"));
        EXPECT_EQ(load<float>("gx.npy", "<f4", {2, 4}), (std::vector<float>{0, 16, 16, 0, 0, 16, 16, 0})) << device;
    }
    const std::string out = " -o " + at("o.npy");
    const auto mistake = [](const std::string& words, const std::string& message) {
        expect_mistake("compute " + words, 2, message);
    };
    mistake("warp " + depth + out, "the transform is missing");
    mistake("letterbox " + depth + out, "--size is missing");
    mistake("letterbox " + depth + " --size 3" + out, "--size `3` is not a size like 360x640: rows x columns");
    mistake("letterbox " + depth + " --size 3x2 --rotate 4" + out, "letterbox takes no --rotate");
    mistake("letterbox " + depth + " --size 3x2 --to float16" + out, "letterbox takes no --to");
    mistake("letterbox/naive " + depth + " --size 3x2" + out, "on pictures of one's own the kernel is chosen");
    mistake("warp " + depth + " --rotate 1 --variant float" + out, "warp takes no --variant");
    mistake("warp " + depth + " " + depth + " --rotate 1" + out, "2 inputs are given; one is right");
    mistake("warp " + save<std::int32_t>("i.npy", "<i4", {2, 2}, {1, 2, 3, 4}) + " --rotate 1" + out,
            "holds int32; uint8 and float32 are right");
    mistake("warp " + save<float>("line.npy", "<f4", {3}, {1, 2, 3}) + " --rotate 1" + out,
            "is a vector of 3; rows×columns, rows×columns×channels or images×rows×columns×channels are right");
    mistake("gelu " + depth + " --rotate 1" + out, "takes no --rotate; it is for pictures");
    mistake("gelu " + depth + " --to float16" + out, "takes no --to; it is for pictures");
}

TEST_F(Compute, SaysAndStoresTheWayBackToThePictures) {
    const std::string two = save<std::uint8_t>("two.npy", "|u1", {2, 2, 4}, std::vector<std::uint8_t>(16, 7)),
                      of_two = save<std::uint8_t>("of_two.npy", "|u1", {2, 2, 4, 1}, std::vector<std::uint8_t>(16, 7));
    for (const std::string device : {"cpu", "simt"}) {
        const std::string to = " --size 2x2 --device " + device + " -o " + at("boxed.npy");
        const Said said = lanework_with("compute letterbox " + of_two + to + " --json " + at("made.json"));
        EXPECT_EQ(said.status, 0) << said.err;
        EXPECT_NE(said.err.find("; back: x' = 2x, y' = 2y"), std::string::npos) << said.err;
        const Json made = Json::parse(contents(folder_ / "made.json"));
        EXPECT_EQ(made.at("pictures").size(), 2U);
        EXPECT_EQ(made.at("pictures")[1].at("place").get<int>(), 1);
        EXPECT_EQ(made.at("pictures")[1].at("to_source").dump(), "[[2.0,0.0,0.0],[0.0,2.0,0.0]]");
    }
    // nms takes boxes back to the pictures of an array by their places.
    std::ofstream(folder_ / "found.json")
        << R"([{"image_id": 0, "category_id": 0, "bbox": [0, 0, 1, 0.5], "score": 0.5},
               {"image_id": 1, "category_id": 0, "bbox": [1, 0, 1, 0.5], "score": 0.5}])";
    compute("nms " + at("found.json") + " --pictures " + at("made.json") + " -o " + at("kept.json"));
    const Json kept = Json::parse(contents(folder_ / "kept.json"));
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[1].at("image_id").get<int>(), 1);
    EXPECT_EQ(kept[1].at("bbox").dump(), "[2.0,0.0,2.0,1.0]");
    expect_mistake("compute gelu " + two + " --json " + at("g.json") + " -o " + at("o.npy"), 2,
                   "takes no --json; it is for pictures");
}

TEST_F(Compute, RefusesWhatAnOperationDoesNotTake) {
    const std::string positions = save<float>("p.npy", "<f4", {1, 3}, {0, 0, 0}),
                      picture = save<std::uint8_t>("picture.npy", "|u1", {2, 2}, {1, 2, 3, 4});
    std::ofstream(folder_ / "found.json") << R"([{"category_id": 0, "bbox": [0, 0, 1, 1], "score": 0.5}])";
    const std::string nms = "compute nms " + at("found.json") + " -o " + at("k.json");
    expect_mistake("compute neighbors " + positions + " --cutoff 1 --iou 0.5 -o " + at("o.npz"), 2,
                   "compute neighbors takes no --iou; it is for boxes");
    expect_mistake("compute letterbox " + picture + " --size 2x2 --iou 0.5 -o " + at("o.npz"), 2, "takes no --iou");
    expect_mistake(nms + " --cutoff 1", 2, "compute nms takes no --cutoff; it is for atoms");
    expect_mistake(nms + " --pad 1", 2, "compute nms takes no --pad; it is for pictures");
    for (const std::string option : {"--iou", "--score"})
        for (const std::string value : {"1.45", "-0.1", "nan"})
            expect_mistake(nms + " " + option + " " + value, 2,
                           option + ": `" + value + "` is not a number from 0 to 1");
    expect_mistake("compute decode " + at("found.json") + " -o " + at("o.npz"), 2, "JSON holds boxes, which nms takes");
    expect_mistake("compute tensor " + picture + " --size 2x2 --to int8 -o " + at("o.npy"), 2,
                   "--to `int8` is not one of float32, float16");
}

TEST_F(Compute, ListsNeighboursOfPositions) {
    const std::string positions = save<double>("x.npy", "<f8", {3, 3}, {0, 0, 0, 1, 0, 0, 9.5, 0, 0}),
                      cell = save<double>("cell.npy", "<f8", {3, 3}, {10, 0, 0, 0, 10, 0, 0, 0, 10});
    for (const std::string device : {"cpu", "simt"}) {
        compute("neighbors " + positions + " --cutoff 1.2 -o " + at("open.txt") + " -d " + device);
        EXPECT_EQ(contents(folder_ / "open.txt"), "1 1\n1 0\n0\n") << device;
        compute("neighbors " + positions + " " + cell + " --cutoff 1.2 -o " + at("list.npz") + " -d " + device);
        compute("copy " + at("list.npz:indices") + " -o " + at("indices.npy"));
        EXPECT_EQ(load<std::int32_t>("indices.npy", "<i4", {4}), (std::vector<std::int32_t>{1, 2, 0, 0})) << device;
    }
    expect_mistake("compute neighbors " + positions + " -o " + at("o.npz"), 2, "--cutoff LENGTH is missing");
    expect_mistake("compute neighbors " + positions + " --cutoff 1 -o " + at("o.npy"), 2, ".npz and .txt are right");
    expect_mistake("compute neighbors " + positions + " " + positions + " " + cell + " --cutoff 1 -o " + at("o.npz"), 2,
                   "3 arrays are given; one or two are right");
    expect_mistake("compute gelu " + positions + " --cutoff 1 -o " + at("o.npz"), 2,
                   "takes no --cutoff; it is for atoms");
}

TEST_F(Compute, TakesArraysOfArchivesByTheirNamesAndWritesThem) {
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{1, 0, 0, 1, 2, 2};
    const auto bytes = [](const std::vector<float>& values) {
        return std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(float));
    };
    Npz archive;
    archive.add("b", "<f4", {3, 2}, bytes(b));
    archive.add("other", "<f4", {6}, bytes(a));
    archive.add("a", "<f4", {2, 3}, bytes(a));
    write_file(at("ab.npz"), archive.pieces());
    const std::vector<float> product{7, 8, 16, 17};
    compute("matmul " + at("ab.npz") + " -o " + at("c.npy"));
    EXPECT_EQ(load<float>("c.npy", "<f4", {2, 2}), product);
    // What numpy.savez_compressed writes is the same, deflated.
    const Said packed = shell("cd " + folder_.path().string() +
                              " && python3 -c 'import zipfile; old = zipfile.ZipFile(\"ab.npz\"); new = "
                              "zipfile.ZipFile(\"packed.npz\", \"w\", zipfile.ZIP_DEFLATED); [new.writestr(n, "
                              "old.read(n)) for n in old.namelist()]; new.close()'");
    ASSERT_EQ(packed.status, 0) << packed.err;
    compute("matmul " + at("packed.npz:a") + " " + at("packed.npz:b") + " -o " + at("c.npz"));
    compute("reduce " + at("c.npz") + " -o " + at("sum.npy"));
    EXPECT_EQ(load<float>("sum.npy", "<f4", {}), std::vector<float>{48});
    expect_mistake("compute add " + at("ab.npz:q") + " -o " + at("o.npy"), 2, "no array `q`; there are: b, other, a");
    std::filesystem::resize_file(folder_ / "packed.npz", 300);
    expect_mistake("compute add " + at("packed.npz") + " -o " + at("o.npy"), 6, "it is cut off");
}

TEST_F(Compute, TakesPicturesAndArraysThatAreSome) {
    write_image(folder_ / "four.png", Image{2, 2, 1, {7, 7, 9, 200}});
    compute("histogram " + at("four.png") + " -o " + at("counts.npy"));
    const auto counts = load<std::uint64_t>("counts.npy", "<u8", {256});
    EXPECT_EQ(counts[7], 2U);
    EXPECT_EQ(counts[200], 1U);
    const std::string colours = save<std::uint8_t>("colours.npy", "|u1", {1, 2, 3}, {90, 90, 90, 30, 30, 30});
    for (const std::string device : {"cpu", "simt"}) {
        compute("gray " + colours + " -o " + at("gray.png") + " --device " + device);
        EXPECT_EQ(read_image(folder_ / "gray.png"), (Image{1, 2, 1, {90, 30}})) << device;
        compute("sobel " + at("gray.png") + " --variant gx -o " + at("gx.npy") + " --device " + device);
        EXPECT_EQ(load<std::int16_t>("gx.npy", "<i2", {1, 2}), (std::vector<std::int16_t>{0, 0})) << device;
        const std::string depth = save<float>("depth.npy", "<f4", {2, 2}, {1, 3, 5, 7});
        compute("resize " + depth + " --size 1x1 -o " + at("one.npy") + " --device " + device);
        EXPECT_EQ(load<float>("one.npy", "<f4", {1, 1}), std::vector<float>{4}) << device;
    }
}

TEST_F(Compute, DecodesAndSuppressesBoxesFromArraysAndJson) {
    // Two classes; the second box overlaps the first with 0.81, the third is the first's box of the other class.
    const std::string head = save<float>(
        "head.npy", "<f4", {1, 4, 7},
        {5, 5, 10, 10, 1, 0.9F, 0, 5.5F, 5.5F, 9, 9, 1, 0.8F, 0, 5, 5, 10, 10, 1, 0, 0.7F, 50, 50, 4, 2, 1, 0.1F, 0});
    for (const std::string device : {"cpu", "simt"}) {
        compute("decode " + head + " -o " + at("boxes.npz") + " --device " + device);
        compute("decode " + head + " -o " + at("boxes.json") + " --device " + device);
        const Json decoded = Json::parse(contents(folder_ / "boxes.json"));
        ASSERT_EQ(decoded.size(), 3U) << "0.1 is not above 0.25";
        EXPECT_EQ(decoded[1].at("bbox").dump(), "[1.0,1.0,9.0,9.0]");
        for (const std::string boxes : {"boxes.npz", "boxes.json"}) {
            compute("nms " + at(boxes) + " -o " + at("kept.json") + " --device " + device);
            const Json kept = Json::parse(contents(folder_ / "kept.json"));
            ASSERT_EQ(kept.size(), 2U) << boxes;
            EXPECT_EQ(kept[0].dump(), R"({"image_id":0,"category_id":0,"bbox":[0.0,0.0,10.0,10.0],"score":0.9})");
            EXPECT_EQ(kept[1].at("category_id").get<int>(), 1);
        }
        compute("nms " + at("boxes.json") + " --variant agnostic -o " + at("kept.json") + " --device " + device);
        EXPECT_EQ(Json::parse(contents(folder_ / "kept.json")).size(), 1U);
        compute("nms " + at("boxes.json") + " --iou 0.9 --score 0.75 --most 1 -o " + at("kept.json") + " -d " + device);
        EXPECT_EQ(Json::parse(contents(folder_ / "kept.json")).size(), 1U);
    }
}

TEST_F(Compute, TakesBoxesBackToThePicturesThatTheyWereFoundIn) {
    // 100×50 pixels in 64×64: a factor of 0.64, and 16 rows of pad above.
    write_image(folder_ / "000123.png", Image{50, 100, 1, std::vector<std::uint8_t>(5000)});
    const Said fitted = lanework_with("image letterbox " + at("000123.png") + " --size 64x64 -o " + at("fitted.png") +
                                      " --json " + at("made.json"));
    ASSERT_EQ(fitted.status, 0) << fitted.err;
    std::ofstream(folder_ / "found.json")
        << R"([{"image_id": 0, "category_id": 3, "bbox": [6.4, 22.4, 6.4, 3.2], "score": 0.5}])";
    compute("nms " + at("found.json") + " --pictures " + at("made.json") + " -o " + at("kept.json"));
    const Json kept = Json::parse(contents(folder_ / "kept.json"));
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept[0].at("image_id").get<int>(), 123);
    const auto box = kept[0].at("bbox").get<std::vector<double>>();
    const std::vector<double> right{10, 10, 10, 5};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(box[k], right[k], 1e-4) << k;
}

TEST_F(Compute, SaysWhichBoxIsWrong) {
    const auto mistake = [&](const std::string& json, int status, const std::string& message,
                             const std::string& words = "") {
        std::ofstream(folder_ / "x.json") << json;
        expect_mistake("compute nms " + at("x.json") + " -o " + at("o.json") + words, status, message);
    };
    const std::string good = R"({"image_id": 0, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5})";
    mistake("[" + good + R"(, {"category_id": 1, "bbox": [1, 2, 3], "score": 1}])", 6,
            "box 1 (the first is 0): bbox is not four numbers but [1,2,3]");
    mistake(R"([{"category_id": 1, "bbox": [1, 2, 3, 4]}])", 6,
            "box 0 (the first is 0): score is missing; {\"image_id\": 7");
    mistake(R"([{"category_id": 1, "bbox": [1, 2, "3", 4], "score": 1}])", 6, "bbox is \"3\"; a number is right");
    mistake(R"([{"class": 1, "confidence": 1, "box": {"x1": 1, "y1": 2, "x2": 3}}])", 6,
            "box has no y2; x1, y1, x2, y2");
    mistake("[7]", 6, "it is 7; {\"image_id\"");
    mistake(R"([{"category_id": 1.5, "bbox": [1, 2, 3, 4], "score": 1}])", 6, "category_id is no whole number");
    mistake(R"([{"category_id": 1, "bbox": [1, 2, 1e300, 4], "score": 1}])", 6, "beyond float32");
    mistake(R"({"boxes": 1})", 6, "it is no list of boxes");
    mistake("[" + good, 6, "x.json: ");
    mistake("[" + good + "]", 2, "boxes of JSON say their form themselves", " --variant xywh");
    std::ofstream(folder_ / "made.json") << R"({"schema": 1, "pictures": []})";
    mistake("[" + good + "]", 2, "it has 0 pictures, and the boxes are of 1", " --pictures " + at("made.json"));
    expect_mistake("compute nms " + at("x.json") + " -o " + at("o.npy"), 2, ".npz and .json are right");
    const std::string three = save<float>("three.npy", "<f4", {2, 3}, {1, 2, 3, 4, 5, 6});
    expect_mistake("compute nms " + three + " " + three + " -o " + at("o.npz"), 2,
                   "boxes×4 or images×boxes×4 is right");
    expect_mistake("compute decode " + three + " -o " + at("o.npz"), 2, "(5 + classes), or --variant v8");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o.json"));
}

}  // namespace
}  // namespace lanework
