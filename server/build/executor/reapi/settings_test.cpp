// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/settings.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

ExecutorSettings read(const std::string &text) { return readExecutorSettings("/c.toml", text); }

TEST(ExecutorSettings, AllThatThereIs) {
  ExecutorSettings settings = read("executor = \"reapi\"\n"
                                   "[toolchain.cpu-sim]\nptoas = \"/p\"\n"
                                   "[reapi]\naddress = \"grpcs://farm:8980\"\ninstance = \"main\"\nca = \"/ca.pem\"\n"
                                   "certificate = \"/c.pem\"\nkey = \"/k.pem\"\ntoken-file = \"/t\"\njobs = 8\n"
                                   "salt = \"2\"\ntool-properties = true\npaths = { isa = \"/w/isa\" }\n"
                                   "[reapi.properties]\nOSFamily = \"linux\"\n");
  EXPECT_TRUE(settings.faults.empty()) << settings.faults.front();
  EXPECT_EQ(settings.executor, "reapi");
  EXPECT_EQ(settings.reapi.address, "grpcs://farm:8980");
  EXPECT_EQ(settings.reapi.instance, "main");
  EXPECT_EQ(settings.reapi.caFile, "/ca.pem");
  EXPECT_EQ(settings.reapi.certificateFile, "/c.pem");
  EXPECT_EQ(settings.reapi.keyFile, "/k.pem");
  EXPECT_EQ(settings.reapi.tokenFile, "/t");
  EXPECT_EQ(settings.reapi.jobs, 8U);
  EXPECT_EQ(settings.reapi.salt, "2");
  EXPECT_TRUE(settings.reapi.toolProperties);
  EXPECT_EQ(settings.reapi.paths.at("isa"), "/w/isa");
  EXPECT_EQ(settings.reapi.properties.at("OSFamily"), "linux");
}

TEST(ExecutorSettings, NothingSaidIsLocal) {
  EXPECT_EQ(read("").executor, "local");
  EXPECT_EQ(read("[reapi]\naddress = \"grpc://h:1\"\n").executor, "local");
}

TEST(ExecutorSettings, WhatIsWrongHasItsPlace) {
  auto fault = [](const std::string &text) {
    ExecutorSettings settings = read(text);
    return settings.faults.size() == 1 ? settings.faults.front() : std::to_string(settings.faults.size()) + " faults";
  };
  EXPECT_EQ(fault("executor = \"slurm\"\n"), "/c.toml:1:12: `executor` is \"local\" or \"reapi\"");
  EXPECT_NE(fault("executor = \"reapi\"\n").find("needs `address`"), std::string::npos);
  EXPECT_NE(fault("[reapi]\nca = \"ca.pem\"\n").find("/c.toml:2:6: `ca` is an absolute path"), std::string::npos);
  EXPECT_NE(fault("[reapi]\njobs = 0\n").find("from 1 to"), std::string::npos);
  EXPECT_NE(fault("[reapi]\njobs = 99999\n").find("from 1 to"), std::string::npos);
  EXPECT_NE(fault("[reapi]\nadress = \"x\"\n").find("there is no setting `adress`"), std::string::npos);
  EXPECT_NE(fault("[reapi]\naddress = 1\n").find("in quotes"), std::string::npos);
  EXPECT_NE(fault("[reapi.paths]\nisa = \"isa\"\n").find("absolute"), std::string::npos);
  EXPECT_NE(fault("[reapi]\npaths = 1\n").find("[reapi.paths]"), std::string::npos);
}

} // namespace
} // namespace placid::server
