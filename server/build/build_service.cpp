// SPDX-License-Identifier: Apache-2.0
#include "server/build/build_service.h"

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

BuildService::BuildService(std::string folder, size_t jobs) {
  if (!folder.empty()) {
    store_ = std::make_unique<Store>(folder);
  }
  if (!store_ || store_->folder().empty()) {
    std::string name = "/tmp/placid-build-XXXXXX"; // nothing can be kept, but a build still needs its files
    ownFolder_ = ::mkdtemp(name.data()) ? name : std::string();
    store_ = std::make_unique<Store>(ownFolder_);
  }
  size_t cores = std::max(1U, std::thread::hardware_concurrency());
  budget_ = std::make_unique<HostBudget>("/tmp/placid-" + std::to_string(::geteuid()) + ".budget",
                                         std::min(jobs ? jobs : cores, kMostJobs));
  executor_ = std::make_unique<LocalExecutor>(*store_, *budget_, store_->folder() + "/scratch");
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

std::shared_ptr<BuildService> buildService(const ToolEnvironment &environment) {
  std::string folder = storeFolder(environment);
  std::string text = environment.get("PLACID_BUILD_JOBS");
  size_t jobs = 0;
  std::from_chars(text.data(), text.data() + text.size(), jobs);
  MutexLock lock(shared().mutex);
  std::weak_ptr<BuildService> &slot = shared().services[folder + "\n" + std::to_string(jobs)];
  std::shared_ptr<BuildService> service = slot.lock();
  if (!service) {
    service = std::make_shared<BuildService>(folder, jobs);
    slot = service;
  }
  return service;
}

} // namespace placid::server
