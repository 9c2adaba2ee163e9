// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace placid::lsp {
namespace {

template <class P> protocol::Result<P> from(const char *text) { return decodeParams<P>("m", Json::parse(text)); }

template <class P> std::string faultOf(const char *text) {
  protocol::Result<P> result = from<P>(text);
  return result.has_error() ? result.error().message : "";
}

TEST(Codec, InitializeOfAModernEditor) {
  auto params = from<InitializeParams>(R"({"processId": 12, "rootUri": "file:///w",
      "workspaceFolders": [{"uri": "file:///w", "name": "w"}],
      "initializationOptions": {"arch": "a5", "defines": {"M": 64, "T": "'x'", "B": true}},
      "capabilities": {"general": {"positionEncodings": ["utf-16"]},
        "textDocument": {"publishDiagnostics": {"relatedInformation": true, "codeDescriptionSupport": true},
                         "hover": {"contentFormat": ["markdown", "plaintext"]}}}})");
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->processId, 12);
  EXPECT_EQ(params->options.arch, "a5");
  EXPECT_EQ(params->options.defines.at("M"), "64");
  EXPECT_EQ(params->options.defines.at("T"), "'x'");
  EXPECT_EQ(params->options.defines.at("B"), "True");
  EXPECT_TRUE(params->capabilities.offersPositionEncodings);
  EXPECT_TRUE(params->capabilities.relatedInformation);
  EXPECT_TRUE(params->capabilities.codeDescription);
  EXPECT_FALSE(params->capabilities.diagnosticTags);
  EXPECT_TRUE(params->capabilities.hoverMarkdown);
}

TEST(Codec, InitializeOfAnOldEditor) {
  auto params = from<InitializeParams>(
      R"({"processId": null, "rootUri": null, "workspaceFolders": null, "capabilities": {"general": 5}})");
  ASSERT_TRUE(params.has_value());
  EXPECT_FALSE(params->processId);
  EXPECT_FALSE(params->capabilities.offersPositionEncodings);
  EXPECT_TRUE(from<InitializeParams>("{}").has_value());
  EXPECT_TRUE(from<NoParams>("null").has_value());
  EXPECT_TRUE(from<InitializedParams>("[]").has_value());
}

TEST(Codec, EmptyTablesOfLuaAreObjects) {
  for (const char *options : {"[]", R"({"defines": []})", "null"}) {
    std::string body = std::string(R"({"capabilities": {}, "initializationOptions": )") + options + "}";
    EXPECT_TRUE(from<InitializeParams>(body.c_str()).has_value()) << options;
  }
}

TEST(Codec, WhatOtherLanguagesMakeOfNothingAndOfTheEnd) {
  auto params = from<InitializeParams>(R"({"rootPath": "/w x", "initializationOptions": [],
      "capabilities": {"general": {"positionEncodings": ["utf-8"]},
                       "workspace": {"inlayHint": {"refreshSupport": true}}}})");
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->folders, std::vector<std::string>{"file:///w%20x"});
  EXPECT_FALSE(params->capabilities.offersPositionEncodings) << "the only one that there is here is not among them";
  EXPECT_TRUE(params->capabilities.refreshesHints);
  EXPECT_FALSE(params->capabilities.refreshesLenses);
  EXPECT_TRUE(from<InitializeParams>(R"({"initializationOptions": {"defines": []}})").has_value());
  EXPECT_FALSE(from<InitializeParams>(R"({"initializationOptions": [1]})").has_value());
  auto hover = from<HoverParams>(
      R"({"textDocument": {"uri": "u"}, "position": {"line": 9007199254740991, "character": 4294967296}})");
  ASSERT_TRUE(hover.has_value());
  EXPECT_EQ(hover->position, (Position{4294967295U, 4294967295U}));
}

TEST(Codec, FoldersThatComeAndGo) {
  auto params = from<WorkspaceFoldersParams>(
      R"({"event": {"added": [{"uri": "file:///a", "name": "a"}, 5], "removed": [{"uri": "file:///b"}]}})");
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->added, std::vector<std::string>{"file:///a"});
  EXPECT_EQ(params->removed, std::vector<std::string>{"file:///b"});
  EXPECT_EQ(faultOf<WorkspaceFoldersParams>("{}"), "m: params.event: expected an object");
}

TEST(Codec, FaultsNameTheMember) {
  EXPECT_NE(faultOf<InitializeParams>(R"({"initializationOptions": {"defines": [1]}})"), "");
  EXPECT_EQ(faultOf<DidOpenParams>("null"), "m: params: expected an object");
  EXPECT_EQ(faultOf<DidOpenParams>("{}"), "m: params.textDocument is missing");
  EXPECT_EQ(faultOf<DidOpenParams>(R"({"textDocument": {"uri": 1}})"), "m: params.textDocument.uri: expected a string");
  EXPECT_EQ(faultOf<DidOpenParams>(R"({"textDocument": {"uri": "u"}})"), "m: params.textDocument.text is missing");
  EXPECT_EQ(
      faultOf<DidChangeParams>(R"({"textDocument": {"uri": "u"}, "contentChanges": [{"text": ""}, {"text": 2}]})"),
      "m: params.contentChanges[1].text: expected a string");
  EXPECT_EQ(faultOf<HoverParams>(R"({"textDocument": {"uri": "u"}, "position": {"line": -1, "character": 0}})"),
            "m: params.position.line: expected an unsigned 32-bit integer");
  EXPECT_EQ(faultOf<HoverParams>(R"({"textDocument": {"uri": "u"}, "position": {"line": 1.5, "character": 0}})"),
            "m: params.position.line: expected an integer");
  EXPECT_EQ(faultOf<CancelParams>("{}"), "m: params.id: expected an integer or a string");
}

TEST(Codec, VersionsAndRanges) {
  EXPECT_EQ(from<DidOpenParams>(R"({"textDocument": {"uri": "u", "version": 0, "text": ""}})")->version, 0);
  EXPECT_FALSE(
      from<DidChangeParams>(R"({"textDocument": {"uri": "u", "version": null}, "contentChanges": []})")->version);
  auto change = from<DidChangeParams>(R"({"textDocument": {"uri": "u", "version": 3.0}, "contentChanges": [
      {"range": {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 4}}, "rangeLength": 9, "text": "x"},
      {"text": "y"}]})");
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->version, 3);
  EXPECT_EQ(change->changes[0].range, (Range{{1, 2}, {3, 4}}));
  EXPECT_FALSE(change->changes[1].range);
}

TEST(Codec, PublishedDiagnostics) {
  Diagnostic diagnostic{{{1, 2}, {1, 5}},
                        Severity::Warning,
                        "PL1",
                        "placid:x",
                        "placid",
                        "text",
                        {{{"file:///a", {{0, 0}, {0, 1}}}, "here"}},
                        {DiagnosticTag::Deprecated}};
  Json json = toJson(PublishDiagnosticsParams{"file:///a", 4, {diagnostic}});
  EXPECT_EQ(json["version"], 4);
  const Json &item = json["diagnostics"][0];
  EXPECT_EQ(item["severity"], 2);
  EXPECT_EQ(item["tags"], Json::parse("[2]"));
  EXPECT_EQ(item["codeDescription"]["href"], "placid:x");
  EXPECT_EQ(item["relatedInformation"][0]["location"]["uri"], "file:///a");
  Json empty = toJson(PublishDiagnosticsParams{"u", std::nullopt, {}});
  EXPECT_EQ(empty.dump(), R"({"diagnostics":[],"uri":"u"})");
}

TEST(Codec, TheEncodingIsNamedOnlyToThoseWhoOffered) {
  EXPECT_FALSE(toJson(InitializeResult{false, {}, "placid", "1"})["capabilities"].contains("positionEncoding"));
  EXPECT_EQ(toJson(InitializeResult{true, {"hoverProvider"}, "placid", "1"})["capabilities"],
            Json::parse(R"({"hoverProvider":true,"positionEncoding":"utf-16",
                            "textDocumentSync":{"change":2,"openClose":true,"save":{"includeText":true}},
                            "workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}}})"));
}

} // namespace
} // namespace placid::lsp
