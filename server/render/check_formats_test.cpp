// SPDX-License-Identifier: Apache-2.0
#include "server/render/check_formats.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace placid::server {
namespace {

using nlohmann::json;

class CheckFormats : public ::testing::Test {
protected:
  CheckFormats() {
    diag::Diagnostic error;
    error.code = diag::NzOffsetAlign.code;
    error.at = {"a b.py", {5, 8}};
    error.message = "50% <wrong>,\nsecond: line";
    error.kernel = "K.kern";
    error.related.push_back({{"a b.py", {0, 1}}, "declared", diag::Related::Role::Annotation});
    error.fixes.push_back({"fix it", {{{"a b.py", {5, 8}}, "16"}}});
    error.fixes.push_back({"advice only", {}});
    diag::Diagnostic warning;
    warning.code = diag::NotSupportedYet.code;
    warning.severity = diag::Severity::Warning;
    warning.at = {"a b.py", {0, 8}};
    warning.message = "later";
    diagnostics_ = {warning, error};
    summary_ = {2, 1, 1, 1, std::nullopt};
  }
  CheckReport report() { return {diagnostics_, files_, lookup_, summary_, "1.2.3"}; }

  source::SourcePtr text_ = std::make_shared<source::SourceText>("a b.py", "\xf0\x9f\x98\x80\nxyz\n");
  TextLookup lookup_ = [this](const std::string &path) { return path == "a b.py" ? text_ : nullptr; };
  std::vector<std::string> files_ = {"a b.py", "clean.py"};
  std::vector<diag::Diagnostic> diagnostics_;
  CheckSummary summary_;
};

TEST_F(CheckFormats, Sarif) {
  json log = json::parse(checkSarif(report()));
  EXPECT_EQ(log["version"], "2.1.0");
  const json &run = log["runs"][0];
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(run["tool"]["driver"]["semanticVersion"], "1.2.3");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2U);
  EXPECT_TRUE(run["invocations"][0]["executionSuccessful"]);
  ASSERT_EQ(run["results"].size(), 2U);
  const json &result = run["results"][1];
  EXPECT_EQ(result["ruleId"], "PL3105");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"], "PL3105");
  EXPECT_EQ(result["level"], "error");
  const json &place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "a%20b.py");
  EXPECT_EQ(place["region"], json::parse(R"({"startLine":2,"startColumn":1,"endLine":2,"endColumn":4})"));
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "declared");
  ASSERT_EQ(result["fixes"].size(), 1U) << "advice has no edits";
  EXPECT_EQ(result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "16");
  // The fingerprint stays when lines are added above.
  std::string before = result["partialFingerprints"]["placid/v1"];
  text_ = std::make_shared<source::SourceText>("a b.py", "# 1\n\xf0\x9f\x98\x80\nxyz\n");
  diagnostics_[1].at.range = {9, 12};
  EXPECT_EQ(json::parse(checkSarif(report()))["runs"][0]["results"][1]["partialFingerprints"]["placid/v1"], before);
}

TEST_F(CheckFormats, SarifSaysWhatItLeavesOut) {
  std::vector<diag::Diagnostic> many(25010, diagnostics_[0]);
  many.push_back(diagnostics_[1]);
  diagnostics_ = many;
  json run = json::parse(checkSarif(report()))["runs"][0];
  EXPECT_EQ(run["results"].size(), 25000U);
  EXPECT_EQ(run["results"][0]["level"], "error") << "the worst is never left out";
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 1U);
}

TEST_F(CheckFormats, Github) {
  EXPECT_EQ(checkGithub(report()),
            "::error file=a b.py,line=2,col=1,endColumn=4,title=PL3105 nz-offset-align::50%25 <wrong>,%0Asecond: line\n"
            "::warning file=a b.py,line=1,endLine=2,title=PL2003 " +
                std::string(diag::find(diag::NotSupportedYet.code)->slug) +
                "::later\n1 errors, 1 warnings in 2 files, 1 kernels\n");
}

TEST_F(CheckFormats, Junit) {
  std::string xml = checkJunit(report());
  EXPECT_NE(xml.find("<testsuites name=\"placid\" failures=\"1\" errors=\"0\">"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<testsuite name=\"clean.py\" tests=\"1\" failures=\"0\" errors=\"0\">"), std::string::npos)
      << xml;
  EXPECT_NE(xml.find("message=\"50% &lt;wrong&gt;,&#10;second: line\""), std::string::npos) << xml;
  EXPECT_EQ(xml.find("later"), std::string::npos) << "warnings fail nothing";
}

TEST_F(CheckFormats, WhatWasNotCarriedThroughIsNoSuccess) {
  CheckReport broken = report();
  broken.fault = "ptoas: not <found>";
  json run = json::parse(checkSarif(broken))["runs"][0];
  EXPECT_FALSE(run["invocations"][0]["executionSuccessful"]);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], broken.fault);
  EXPECT_TRUE(checkGithub(broken).starts_with("::error title=placid::ptoas: not <found>\n"));
  std::string xml = checkJunit(broken);
  EXPECT_NE(xml.find("<testsuites name=\"placid\" failures=\"1\" errors=\"1\">"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<error message=\"ptoas: not &lt;found&gt;\"/>"), std::string::npos) << xml;
}

} // namespace
} // namespace placid::server
