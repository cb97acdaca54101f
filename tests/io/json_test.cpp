// JSON documents as they are written to files.
#include "src/io/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lanework {
namespace {

TEST(JsonDocument, KeepsListsOfPlainValuesOnOneLine) {
    const Json json{{"b", {1, 2.5, "three", nullptr}}, {"a", {{"deep", Json::array()}, {"lists", {{1, 2}, {3}}}}}};
    EXPECT_EQ(json_document(json), R"({
 "b": [1,2.5,"three",null],
 "a": {
  "deep": [],
  "lists": [
   [1,2],
   [3]
  ]
 }
}
)");
    EXPECT_EQ(Json::parse(json_document(json)), json);
}

TEST(JsonDocument, IsUtf8WhateverItHolds) {
    const Json json{{"name\xff", {"\xfe"}}};
    EXPECT_NO_THROW(Json::parse(json_document(json)));
    EXPECT_EQ(json_document(1), "1\n");
}

TEST(JsonText, SaysWhereItStopsBeingJson) {
    try {
        Json::parse("{\"a\": 1,\n \"b\" 2}");
        FAIL();
    } catch (const JsonError& error) {
        EXPECT_EQ(error.byte, 15u);
        EXPECT_NE(std::string(error.what()).find("line 2, column 6"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(Json::parse_or_null("[1, 2").is_null());
    EXPECT_EQ(Json::parse("[1] // one", true), Json::parse("[1]"));
}

TEST(JsonText, KeepsNumbersAsTheyAre) {
    const Json json = Json::parse("[-9223372036854775808, 18446744073709551615, 0.1, 1.0]");
    EXPECT_EQ(json[0].get<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(json[1].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(json_line(json), "[-9223372036854775808,18446744073709551615,0.1,1.0]");
    EXPECT_FALSE(json[0].is_number_unsigned());
    EXPECT_THROW(Json::parse("1e999"), JsonError);
}

TEST(JsonText, IsRefusedWhereItsListsLieTooDeep) {
    EXPECT_NO_THROW(Json::parse(std::string(400, '[') + std::string(400, ']')));
    EXPECT_THROW(Json::parse(std::string(1'000'000, '[') + std::string(1'000'000, ']')), JsonError);
    EXPECT_TRUE(Json::parse_or_null(std::string(1'000'000, '[')).is_null());
}

TEST(Json, RefusesToBeWhatItIsNot) {
    const Json json{{"text", "x"}, {"list", {1, 2}}, {"pair", {"x", 1}}};
    EXPECT_TRUE(json["pair"].is_array());
    EXPECT_THROW(json["text"].get<int>(), JsonError);
    EXPECT_THROW(json["missing"], JsonError);
    EXPECT_THROW(json["list"][2], JsonError);
    EXPECT_EQ(json.value("missing", 7), 7);
    EXPECT_EQ((json["list"].get<std::vector<int>>()), (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace lanework
