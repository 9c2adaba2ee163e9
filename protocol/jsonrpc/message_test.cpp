// SPDX-License-Identifier: Apache-2.0
#include "protocol/jsonrpc/message.h"

#include <gtest/gtest.h>

namespace placid::protocol {
namespace {

const Invalid *fault(const Incoming &incoming, size_t at = 0) {
  return at < incoming.messages.size() ? std::get_if<Invalid>(&incoming.messages[at]) : nullptr;
}

ErrorCode faultCode(std::string_view body) {
  Incoming incoming = decodeMessage(body);
  const Invalid *found = fault(incoming);
  return found && incoming.messages.size() == 1 ? found->error.code : ErrorCode{0};
}

TEST(Message, RequestNotificationAndResponse) {
  Incoming incoming = decodeMessage(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
  ASSERT_EQ(incoming.messages.size(), 1U);
  EXPECT_FALSE(incoming.batch);
  const Call &call = std::get<Call>(incoming.messages[0]);
  EXPECT_EQ(call.id, Id(int64_t{7}));
  EXPECT_EQ(call.method, "m");
  EXPECT_EQ(call.params["a"], 1);

  Incoming note = decodeMessage(R"({"jsonrpc":"2.0","method":"n"})");
  EXPECT_FALSE(std::get<Call>(note.messages[0]).id);
  EXPECT_TRUE(std::get<Call>(note.messages[0]).params.is_null());

  Incoming text = decodeMessage(R"({"jsonrpc":"2.0","id":"x","method":"n","params":null})");
  EXPECT_EQ(std::get<Call>(text.messages[0]).id, Id(std::string("x")));

  Incoming answer = decodeMessage(R"({"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no"}})");
  EXPECT_EQ(std::get<Response>(answer.messages[0]).error->message, "no");
}

TEST(Message, ParseErrors) {
  for (std::string_view body : {"", "{", "nul", "{\"a\":}", "[1,]", "\"\xFF\"", "1e999", "{} {}"}) {
    EXPECT_EQ(faultCode(body), ErrorCode::ParseError) << body;
  }
  EXPECT_EQ(faultCode(std::string(400'000, '[')), ErrorCode::ParseError);
  EXPECT_EQ(faultCode(std::string(201, '[') + std::string(201, ']')), ErrorCode::ParseError);
}

TEST(Message, InvalidRequests) {
  for (std::string_view body :
       {"1", "null", "\"x\"", "{}", "[]", R"({"method":"m"})", R"({"jsonrpc":"1.0","method":"m"})",
        R"({"jsonrpc":"2.0","method":1,"id":1})", R"({"jsonrpc":"2.0","method":"m","params":1})",
        R"({"jsonrpc":"2.0","method":"m","id":null})", R"({"jsonrpc":"2.0","method":"m","id":1.5})",
        R"({"jsonrpc":"2.0","method":"m","id":18446744073709551615})", R"({"jsonrpc":"2.0","id":1})"}) {
    EXPECT_EQ(faultCode(body), ErrorCode::InvalidRequest) << body;
  }
}

TEST(Message, InvalidRequestKeepsItsId) {
  Incoming incoming = decodeMessage(R"({"jsonrpc":"2.0","id":9,"method":"m","params":"x"})");
  EXPECT_EQ(fault(incoming)->id, Id(int64_t{9}));
}

TEST(Message, BatchesKeepGoodItems) {
  Incoming incoming =
      decodeMessage(R"([{"jsonrpc":"2.0","id":1,"method":"a"}, 5, [], {"jsonrpc":"2.0","method":"b"}])");
  EXPECT_TRUE(incoming.batch);
  ASSERT_EQ(incoming.messages.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<Call>(incoming.messages[0]));
  EXPECT_NE(fault(incoming, 1), nullptr);
  EXPECT_NE(fault(incoming, 2), nullptr);
  EXPECT_TRUE(std::holds_alternative<Call>(incoming.messages[3]));
}

TEST(Message, EncodingNeverThrows) {
  std::string broken = "a\xC3(b";
  EXPECT_EQ(encode(notificationMessage("m", {{"t", broken}})),
            "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"t\":\"a\xEF\xBF\xBD(b\"}}");
  EXPECT_EQ(encode(resultMessage(Id(int64_t{1}), nullptr)), R"({"id":1,"jsonrpc":"2.0","result":null})");
  EXPECT_EQ(encode(errorMessage({}, {ErrorCode::ParseError, "x"})),
            R"({"error":{"code":-32700,"message":"x"},"id":null,"jsonrpc":"2.0"})");
}

TEST(Message, HalfOfASurrogatePairBecomesTheReplacementCharacter) {
  auto textOf = [](const std::string &escaped) {
    Incoming incoming = decodeMessage(R"({"jsonrpc":"2.0","method":"m","params":{"t":")" + escaped + "\"}}");
    const auto *call = std::get_if<Call>(&incoming.messages.at(0));
    return call ? call->params["t"].get<std::string>() : std::string("invalid");
  };
  EXPECT_EQ(textOf(R"(a\ud83db)"), "a\xEF\xBF\xBD"
                                   "b");
  EXPECT_EQ(textOf(R"(\ude00)"), "\xEF\xBF\xBD");
  EXPECT_EQ(textOf(R"(\ud83d)"), "\xEF\xBF\xBD");
  EXPECT_EQ(textOf(R"(\ud83d\ud83d\ude00)"), "\xEF\xBF\xBD\xF0\x9F\x98\x80") << "the pair behind it stays";
  EXPECT_EQ(textOf(R"(\ud83d\\ud83d)"), "\xEF\xBF\xBD\\ud83d") << "an escaped backslash begins nothing";
  EXPECT_EQ(textOf(R"(\ud83dX\u00e9)"), "\xEF\xBF\xBDX\xC3\xA9");
  EXPECT_EQ(textOf(R"(\ud83d\q)"), "invalid");
}

} // namespace
} // namespace placid::protocol
