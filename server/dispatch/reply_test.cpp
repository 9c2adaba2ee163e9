// SPDX-License-Identifier: Apache-2.0
#include "server/dispatch/dispatch.h"
#include "server/dispatch/reply.h"

#include <gtest/gtest.h>

#include <set>

namespace placid::server {
namespace {

using protocol::ErrorCode;
using protocol::Id;
using protocol::Json;

struct Sent {
  std::vector<Json> messages;
  SendMessage sender() {
    return [this](const Json &message) { messages.push_back(message); };
  }
};

TEST(Reply, AnswersOnce) {
  Sent sent;
  {
    Reply reply(Id(int64_t{1}), sent.sender());
    std::move(reply).ok(5);
    std::move(reply).ok(6); // logged, not sent
  }
  ASSERT_EQ(sent.messages.size(), 1U);
  EXPECT_EQ(sent.messages[0]["result"], 5);
}

TEST(Reply, DroppedMeansInternalError) {
  Sent sent;
  {
    Reply reply(Id(std::string("a")), sent.sender());
  }
  ASSERT_EQ(sent.messages.size(), 1U);
  EXPECT_EQ(sent.messages[0]["error"]["code"], static_cast<int>(ErrorCode::InternalError));
  EXPECT_EQ(sent.messages[0]["id"], "a");
}

TEST(Reply, MovedFromIsSilent) {
  Sent sent;
  {
    Reply first(Id(int64_t{1}), sent.sender());
    Reply second(std::move(first));
    std::move(second).fail({ErrorCode::RequestCancelled, "x"});
  }
  EXPECT_EQ(sent.messages.size(), 1U);
}

TEST(Reply, BatchLeavesWithItsLastAnswer) {
  Sent sent;
  auto batch = std::make_shared<Batch>(sent.sender());
  Reply first(Id(int64_t{1}), sent.sender(), batch);
  Reply second(Id(int64_t{2}), sent.sender(), std::move(batch));
  std::move(second).ok(2);
  EXPECT_TRUE(sent.messages.empty());
  std::move(first).ok(1);
  ASSERT_EQ(sent.messages.size(), 1U);
  ASSERT_EQ(sent.messages[0].size(), 2U);
  EXPECT_EQ(sent.messages[0][0]["id"], 2);
}

TEST(Reply, BatchWithoutAnswersSendsNothing) {
  Sent sent;
  {
    Batch batch(sent.sender());
  }
  EXPECT_TRUE(sent.messages.empty());
}

TEST(MethodTable, EveryRowIsUniqueAndHasOneHandler) {
  std::set<std::string_view> names;
  for (const MethodRow &row : methodTable()) {
    EXPECT_TRUE(names.insert(row.method).second) << row.method;
    EXPECT_NE(row.request != nullptr, row.notify != nullptr) << row.method;
    EXPECT_EQ(row.notify != nullptr, row.kind == MethodKind::Notification) << row.method;
  }
  EXPECT_EQ(findMethod("textDocument/nope"), nullptr);
  std::vector<std::string> providers = advertisedProviders();
  EXPECT_EQ(providers.front(), "hoverProvider");
  EXPECT_EQ(std::set<std::string>(providers.begin(), providers.end()).size(), providers.size()) << "each once";
}

} // namespace
} // namespace placid::server
