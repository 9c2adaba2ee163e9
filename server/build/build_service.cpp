// SPDX-License-Identifier: Apache-2.0
#include "server/build/build_service.h"

#include "server/build/executor/reapi/loader.h"
#include "server/support/sync.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostJobs = 1024;

/// The store of a folder: that of another service in this process, if there is one.
std::shared_ptr<Store> storeOf(const std::string &folder) {
  static Mutex mutex;
  static std::map<std::string, std::weak_ptr<Store>> stores;
  MutexLock lock(mutex);
  std::weak_ptr<Store> &slot = stores[folder];
  std::shared_ptr<Store> store = slot.lock();
  if (!store) {
    store = std::make_shared<Store>(folder);
    slot = store;
  }
  return store;
}

struct Shared {
  Mutex mutex;
  std::map<std::string, std::weak_ptr<BuildService>> services PLACID_GUARDED_BY(mutex);
};
Shared &shared() {
  static Shared instance;
  return instance;
}

} // namespace

std::string storeFolder(const ToolEnvironment &environment) {
  std::string cache = environment.get("XDG_CACHE_HOME");
  if (!cache.starts_with("/")) {
    std::string home = environment.get("HOME");
    cache = home.starts_with("/") ? home + "/.cache" : std::string();
  }
  return cache.empty() ? cache : cache + "/placid/store";
}

namespace {

/// Stands where an executor was asked for that there is not: nothing is run elsewhere without being told so.
class NoExecutor final : public Executor {
public:
  explicit NoExecutor(std::string why) : why_(std::move(why)) {}
  ExecutorCaps caps() const override { return {"none"}; }
  Outcome run(const Action &, const ActionLimits &, const ActionWatcher &, std::stop_token) override {
    return InfraFailure{InfraFailure::Code::Remote, why_, false};
  }

private:
  std::string why_;
};

/// Equal for settings that may share a service.
std::string keyOf(const ExecutorSettings &settings) {
  const ReapiOptions &to = settings.reapi;
  std::string out = settings.executor;
  if (settings.executor == "local") {
    return out;
  }
  for (const std::string &text : {to.address, to.instance, to.caFile, to.certificateFile, to.keyFile, to.tokenFile,
                                  to.salt, std::to_string(to.jobs), std::string(to.toolProperties ? "1" : "0")}) {
    out += "\n" + text;
  }
  for (const auto *table : {&to.properties, &to.paths}) {
    for (const auto &[name, value] : *table) {
      out += "\n" + name + "=" + value;
    }
    out += "\n";
  }
  for (const std::string &fault : settings.faults) {
    out += "\n" + fault;
  }
  return out;
}

/// What decides which machine answers, and with which tools.
std::string placeOf(const ReapiOptions &to) {
  Hasher hasher;
  for (const std::string &text : {to.address, to.instance, to.salt, std::string(to.toolProperties ? "1" : "0")}) {
    hasher.addField(text);
  }
  for (const auto *table : {&to.properties, &to.paths}) {
    hasher.addField(std::to_string(table->size()));
    for (const auto &[name, value] : *table) {
      hasher.addField(name);
      hasher.addField(value);
    }
  }
  return hasher.finish().hex;
}

} // namespace

BuildService::BuildService(std::string folder, size_t jobs, const ExecutorSettings &settings) {
  if (!folder.empty()) {
    store_ = storeOf(folder);
  }
  if (!store_ || store_->folder().empty()) {
    std::string name = "/tmp/placid-build-XXXXXX"; // nothing can be kept, but a build still needs its files
    ownFolder_ = ::mkdtemp(name.data()) ? name : std::string();
    store_ = std::make_shared<Store>(ownFolder_);
  }
  size_t cores = std::max(1U, std::thread::hardware_concurrency());
  budget_ = std::make_unique<HostBudget>("/tmp/placid-" + std::to_string(::geteuid()) + ".budget",
                                         std::min(jobs ? jobs : cores, kMostJobs));
  if (settings.executor == "reapi") {
    place_ = placeOf(settings.reapi);
    fault_ = settings.faults.empty() ? std::string() : settings.faults.front();
    executor_ = fault_.empty() ? loadReapiExecutor(settings.reapi, *store_, fault_) : nullptr;
    if (!executor_) {
      executor_ = std::make_unique<NoExecutor>(fault_);
    }
  } else {
    executor_ = std::make_unique<LocalExecutor>(*store_, *budget_, store_->folder() + "/scratch");
  }
  broker_ = std::make_unique<Broker>(*store_, *executor_);
}

BuildService::~BuildService() {
  broker_.reset();
  executor_.reset();
  store_.reset();
  if (!ownFolder_.empty()) {
    std::error_code error;
    fs::remove_all(ownFolder_, error);
  }
}

std::shared_ptr<BuildService> buildService(const ToolEnvironment &environment, const std::string &executor) {
  ExecutorSettings settings = readExecutorSettings(environment);
  settings.reapi.version = PLACID_VERSION;
  if (!executor.empty() && executor != settings.executor) {
    settings.executor = executor;
    if (executor == "reapi" && settings.reapi.address.empty()) {
      settings.faults.push_back("the server of remote executions is not set: `address` in [reapi] of the user's "
                                "config.toml");
    }
  }
  std::string folder = storeFolder(environment);
  std::string text = environment.get("PLACID_BUILD_JOBS");
  size_t jobs = 0;
  std::from_chars(text.data(), text.data() + text.size(), jobs);
  MutexLock lock(shared().mutex);
  std::weak_ptr<BuildService> &slot = shared().services[folder + "\n" + std::to_string(jobs) + "\n" + keyOf(settings)];
  std::shared_ptr<BuildService> service = slot.lock();
  if (!service) {
    service = std::make_shared<BuildService>(folder, jobs, settings);
    slot = service;
  }
  return service;
}

} // namespace placid::server
