// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/base64.h"
#include "server/gateway/pages.h"
#include "tests/testing/manual_loop.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>

namespace placid::server {
namespace {

using protocol::Json;
using ::testing::HasSubstr;
using ::testing::Not;

/// A build service whose one build is carried out by the test.
class Pages : public ::testing::Test {
protected:
  Pages() {
    std::string name = (std::filesystem::temp_directory_path() / "placid-pages-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    service = std::make_shared<BuildService>(folder + "/store", 1);
    jobs = std::make_unique<JobTable>(
        service, service->store().folder(), loop,
        [this](JobCommand, std::stop_token, JobSink given) { sink = std::move(given); }, JobLimits());
    api = std::make_unique<BuildApi>(*jobs, loop, "1", [] { return LabelOffer{}; });
    jobs->start();
    session = std::make_shared<BuildSession>("local", [](const Json &) { return true; });
  }
  ~Pages() override {
    session.reset();
    api.reset();
    jobs.reset();
    service.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string submit(const std::string &key) {
    std::string text = "kernel";
    std::string digest = digestOf(text).hex;
    api->call(session, "blob/put", {{"digest", digest}, {"size", text.size()}, {"base64", toBase64(text)}});
    Json source = {{"path", "k.py"}, {"digest", digest}};
    Json request = {{"idempotencyKey", key}};
    request["sources"] = Json::array({source});
    ApiAnswer got = api->call(session, "build/submit", request);
    loop.run();
    return got.result["id"].get<std::string>();
  }

  std::string folder;
  testing::ManualLoop loop;
  JobSink sink;
  std::shared_ptr<BuildService> service;
  std::unique_ptr<JobTable> jobs;
  std::unique_ptr<BuildApi> api;
  std::shared_ptr<BuildSession> session;
};

TEST_F(Pages, ThePageOfALongBuildHasWhatWasSaidAtItsEnd) {
  std::string id = submit("long");
  std::string lines;
  for (int i = 0; i < 6000; ++i) {
    lines += "{\"type\":\"log\",\"kernel\":\"k\",\"text\":\"\\\"type\\\":\\\"diagnostic\\\"\"}\n";
  }
  sink.output(false, lines);
  EXPECT_THAT(buildPage(*api, "local", id, {}).value_or(""), HasSubstr("none so far"));
  sink.output(
      false,
      R"({"type":"kernelQueued","kernel":"k","nz":[{"name":"w","dtype":"FP16","shape":[64,64],"blocked":[1,4,4,16,16]}]})"
      "\n"
      R"({"type":"diagnostic","source":"ptoas","code":"PL7001","severity":"error","path":"k.py","message":"it is not to its liking"})"
      "\n"
      R"({"type":"buildFinished","status":"failed","kernels":1,"errors":1,"warnings":0})"
      "\n");
  sink.done(1);
  loop.run();
  std::string page = buildPage(*api, "local", id, {}).value_or("");
  EXPECT_THAT(page, HasSubstr("it is not to its liking"));
  EXPECT_THAT(page, HasSubstr("1 errors"));
  EXPECT_THAT(page, HasSubstr("NZ layout of w"));
  EXPECT_THAT(page, Not(HasSubstr("declared at line")));
  EXPECT_THAT(page, Not(HasSubstr("no access of this kernel")));
}

TEST_F(Pages, ThePageIsHonestAboutWhatIsNotThere) {
  std::string id = submit("odd");
  sink.output(false, R"({"type":"buildFinished","status":"failed","kernels":1,"errors":2,"warnings":0})"
                     "\n");
  sink.done(1);
  loop.run();
  EXPECT_THAT(buildPage(*api, "local", id, {}).value_or(""), HasSubstr("not kept"));
  std::string index = indexPage(*api, "local", "key");
  EXPECT_THAT(index, HasSubstr("/builds/" + id + "?key=key"));
  EXPECT_THAT(indexPage(*api, "", ""), Not(HasSubstr(id))) << "without a viewer there are counts alone";
}

} // namespace
} // namespace placid::server
