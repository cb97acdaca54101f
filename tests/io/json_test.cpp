// JSON documents as they are written to files.
#include "src/io/json.hpp"

#include <gtest/gtest.h>

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
    EXPECT_TRUE(Json::accept(json_document(json)));
    EXPECT_EQ(json_document(1), "1\n");
}

}  // namespace
}  // namespace lanework
