// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/shared_places.h"

#include <gtest/gtest.h>

namespace placid::pro {
namespace {

void add(Trace &trace, const char *name, Space space, Extent begin, int64_t bytes, int group = -1) {
  TraceTile &tile = trace.tiles.emplace_back();
  tile.name = name;
  tile.type.space = space;
  tile.begin = begin;
  tile.end = begin ? Extent(*begin + bytes) : std::nullopt;
  tile.group = group;
}

TEST(SharedPlaces, WhatEachCoreHasOfItsOwnIsAValue) {
  Trace cube;
  Trace vector;
  add(cube, "left", Space::Left, 0, 1024);
  add(cube, "l1", Space::Mat, 0, 1024);
  add(vector, "ub", Space::Vec, 0, 1024);
  SharedPlaces shared = sharePlaces(cube, vector);
  EXPECT_EQ(shared.addresses[0], (std::vector<Extent>{std::nullopt, std::nullopt}));
  EXPECT_EQ(shared.addresses[1], (std::vector<Extent>{std::nullopt}));
  EXPECT_EQ(shared.vecBytes + shared.matBytes, 0);
}

TEST(SharedPlaces, BytesKeepTheirDistanceAndApartTheyMoveTogether) {
  Trace cube;
  Trace vector;
  add(cube, "first", Space::Vec, 0x8000, 1024);
  add(cube, "second", Space::Vec, 0x2000, 256);
  add(vector, "first", Space::Vec, 0x8000, 1024);
  add(vector, "part of it", Space::Vec, 0x8100, 2048); // in the cube core's words nobody knows of it
  add(vector, "own", Space::Vec, 0x4000, 4096);
  SharedPlaces shared = sharePlaces(cube, vector);
  EXPECT_EQ(shared.addresses[0], (std::vector<Extent>{512, 0}));
  EXPECT_EQ(shared.addresses[1], (std::vector<Extent>{512, 768, std::nullopt}));
  EXPECT_EQ(shared.vecBytes, 512 + 256 + 2048);
}

TEST(SharedPlaces, WhatMeetsSharedBytesByWayOfOthersIsShared) {
  Trace cube;
  Trace vector;
  add(cube, "a", Space::Mat, 0, 512);
  add(cube, "b", Space::Mat, 256, 512);
  add(cube, "c", Space::Mat, 1024, 512);
  add(vector, "b", Space::Mat, 512, 256);
  SharedPlaces shared = sharePlaces(cube, vector);
  EXPECT_EQ(shared.addresses[0], (std::vector<Extent>{0, 256, std::nullopt}));
  EXPECT_EQ(shared.addresses[1], (std::vector<Extent>{512}));
  EXPECT_EQ(shared.matBytes, 768);
}

TEST(SharedPlaces, ATileInTurnIsReadAgainAndAnUnknownAddressIsRefused) {
  Trace cube;
  Trace vector;
  add(cube, "turns", Space::Vec, 0, 2048, 1);
  sharePlaces(cube, vector);
  EXPECT_FALSE(cube.refused.empty());
  EXPECT_TRUE(cube.slots);
  Trace other;
  add(other, "somewhere", Space::Vec, std::nullopt, 0);
  Trace none;
  sharePlaces(other, none);
  EXPECT_FALSE(other.refused.empty());
  EXPECT_FALSE(other.slots);
}

TEST(SharedPlaces, TheVectorCoreHasNoAccumulator) {
  Trace cube;
  Trace vector;
  add(vector, "acc", Space::Acc, 0, 1024);
  sharePlaces(cube, vector);
  EXPECT_NE(vector.refused.find("`acc`"), std::string::npos);
}

} // namespace
} // namespace placid::pro
