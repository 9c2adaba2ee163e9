// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/loader.h"

#include "server/build/executor/reapi/store_blobs.h"
#include "server/support/sync.h"

#include <dlfcn.h>

#include <filesystem>
#include <map>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr const char *kModule = "placid-reapi.so";

/// The module's executor with what it stands on.
class Loaded final : public Executor {
public:
  explicit Loaded(Store &store) : blobs_(store) {}
  bool make(ReapiMakeFunction *function, const ReapiOptions &options, std::string &wrong) {
    executor_.reset(function(options, blobs_, wrong));
    return executor_ != nullptr;
  }
  ExecutorCaps caps() const override { return executor_->caps(); }
  Outcome run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
              std::stop_token stop) override {
    return executor_->run(action, limits, watcher, std::move(stop));
  }

private:
  StoreBlobs blobs_;
  std::unique_ptr<Executor> executor_;
};

/// Never unloaded: gRPC has threads of its own.
ReapiMakeFunction *load(std::string &wrong) {
  std::string path = reapiModule();
  if (path.empty()) {
    wrong = "this placid was built without remote execution: there is no " + std::string(kModule) +
            " beside it (its build needs gRPC and the protocol's files; see docs/builds.md)";
    return nullptr;
  }
  void *module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char *why = ::dlerror();
    wrong = path + " cannot be loaded: " + (why ? why : "no reason given");
    return nullptr;
  }
  auto *form = reinterpret_cast<ReapiFormFunction *>(::dlsym(module, kReapiFormSymbol));
  auto *make = reinterpret_cast<ReapiMakeFunction *>(::dlsym(module, kReapiMakeSymbol));
  if (!form || !make || form() != std::string(kReapiForm) + " " + PLACID_VERSION) {
    wrong = path + " is of another placid";
    return nullptr;
  }
  return make;
}

} // namespace

/// Beside the program, or where an installation keeps what is no program.
std::string reapiModule() {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path &path : {folder / kModule, folder.parent_path() / "lib" / "placid" / kModule}) {
    if (!error && fs::is_regular_file(path, error)) {
      return path.string();
    }
  }
  return {};
}

std::unique_ptr<Executor> loadReapiExecutor(const ReapiOptions &options, Store &store, std::string &wrong) {
  static Mutex mutex;
  static ReapiMakeFunction *make = nullptr;
  ReapiMakeFunction *function = nullptr;
  {
    MutexLock lock(mutex);
    make = make ? make : load(wrong);
    function = make;
  }
  auto out = std::make_unique<Loaded>(store);
  return function && out->make(function, options, wrong) ? std::move(out) : nullptr;
}

} // namespace placid::server
