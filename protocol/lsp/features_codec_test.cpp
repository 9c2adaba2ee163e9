// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/features_codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace placid::lsp {
namespace {

Json parse(const char *text) { return Json::parse(text); }

TEST(FeaturesCodec, ParametersNameTheMemberAtFault) {
  EXPECT_EQ(decodeParams<RenameParams>(
                "m", parse(R"({"textDocument": {"uri": "a"}, "position": {"line": 1, "character": 2}})"))
                .error()
                .message,
            "m: params.newName is missing");
  EXPECT_EQ(decodeParams<CallHierarchyParams>("m", parse("{}")).error().message, "m: params.item is missing");
  EXPECT_EQ(decodeParams<WorkspaceDiagnosticParams>("m", parse("[]")).error().message, "m: params: expected an object");
}

TEST(FeaturesCodec, WhatClientsLeaveOutHasADefault) {
  auto action = decodeParams<CodeActionParams>(
      "m", parse(R"({"textDocument": {"uri": "a"}, "range": {"start": {"line": 0, "character": 0},
                     "end": {"line": 0, "character": 1}}, "context": {"diagnostics": [], "only": null}})"));
  ASSERT_TRUE(action.has_value());
  EXPECT_TRUE(action->only.empty());
  auto picture = decodeParams<PictureParams>("m", parse(R"({"textDocument": {"uri": "a"}})"));
  ASSERT_TRUE(picture.has_value());
  EXPECT_EQ(picture->format, "svg");
  EXPECT_FALSE(picture->position);
}

TEST(FeaturesCodec, SelectionRangesNestOutwards) {
  SelectionRange value;
  value.ranges = {{{0, 2}, {0, 3}}, {{0, 0}, {0, 9}}};
  Json json = toJson(value);
  EXPECT_EQ(json["range"]["start"]["character"], 2);
  EXPECT_EQ(json["parent"]["range"]["end"]["character"], 9);
  EXPECT_FALSE(json["parent"].contains("parent"));
}

TEST(FeaturesCodec, DeltasAreEditsOrTheWhole) {
  EXPECT_EQ(toJson(SemanticTokensDelta{"2", std::nullopt, 5, 5, {}}).dump(),
            R"({"edits":[{"data":[],"deleteCount":5,"start":5}],"resultId":"2"})");
  EXPECT_EQ(toJson(SemanticTokensDelta{"2", std::nullopt, 0, 0, {}}).dump(), R"({"edits":[],"resultId":"2"})");
  EXPECT_EQ(toJson(SemanticTokensDelta{"2", std::vector<uint32_t>{1}, 0, 0, {}}).dump(),
            R"({"data":[1],"resultId":"2"})");
}

TEST(FeaturesCodec, ProvidersThatAreMoreThanTrue) {
  EXPECT_EQ(providerOptions("hoverProvider"), Json(true));
  EXPECT_EQ(providerOptions("completionProvider").dump(), R"({"triggerCharacters":["."]})");
  EXPECT_EQ(providerOptions("codeActionProvider").dump(), R"({"codeActionKinds":["quickfix"]})");
  EXPECT_EQ(providerOptions("semanticTokensProvider")["legend"]["tokenTypes"].size(), 8U);
}

} // namespace
} // namespace placid::lsp
