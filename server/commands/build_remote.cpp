// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_remote.h"

#include "compiler/support/suggest.h"
#include "server/build/executor/action.h"
#include "server/build/jobs/base64.h"
#include "server/build/jobs/build_api.h"
#include "server/build/jobs/request.h"
#include "server/build/store/store_limits.h"
#include "server/remote/channel.h"
#include "server/render/diagnostic_reader.h"
#include "server/settings/project_settings.h"
#include "server/support/write_all.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace placid::server {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;
using protocol::Json;
using Steady = std::chrono::steady_clock;

namespace {

constexpr int64_t kLeaseMs = 180000; ///< Longer than all reconnecting takes.
constexpr std::chrono::seconds kRenew{15};
constexpr std::chrono::milliseconds kLook{200};
constexpr int kReconnects = 7; ///< About a minute.

/// "./a/b/" as the service names it; empty for what lies outside the current folder.
std::string relativeName(std::string path) {
  while (path.starts_with("./") && path.size() > 2) {
    path.erase(0, 2);
  }
  while (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  return path == "." || isSafeRelativePath(path) ? path : std::string();
}

std::string randomKey() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 4; ++i) {
    out += std::to_string(random()) + (i < 3 ? "-" : "");
  }
  return out;
}

std::string textOf(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

uint64_t numberOf(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

class Remote {
public:
  explicit Remote(const RemoteBuild &build) : build_(build) {}

  RemoteResult run() {
    out_.usage = prepare();
    if (!out_.usage.empty()) {
      return std::move(out_);
    }
    if (!connect() || !upload() || !submit()) {
      return std::move(out_);
    }
    follow();
    return std::move(out_);
  }

private:
  bool stopped() const { return build_.context.stop.stop_requested(); }

  /// Settings, the files that the build reads, the request. What is wrong, or empty.
  std::string prepare() {
    UserSettings settings = readUserSettings(build_.context.environment);
    if (!settings.faults.empty()) {
      return settings.faults.front();
    }
    name_ = build_.arguments.value("--remote");
    auto found = settings.remotes.find(name_);
    if (found == settings.remotes.end() || found->second.address.empty()) {
      std::vector<std::string> names;
      for (const auto &[name, remote] : settings.remotes) {
        names.push_back(name);
      }
      return "there is no remote `" + name_ + "`" + support::didYouMean(name_, names) + ": `[remote." + name_ +
             "]` with an `address` belongs into " + (settings.path.empty() ? "config.toml" : settings.path);
    }
    settings_ = found->second;
    for (const std::string &path : build_.arguments.positional) {
      std::string name = relativeName(path);
      if (name.empty()) {
        return path + ": --remote builds what is below the current folder";
      }
      request_.paths.push_back(name);
    }
    if (!build_.sources.tooLarge.empty()) {
      return build_.sources.tooLarge.begin()->first + " is too large to be built elsewhere";
    }
    if (std::string wrong = collect(); !wrong.empty()) {
      return wrong;
    }
    for (const auto &[name, bytes] : files_) {
      request_.sources.push_back({name, digestOf(bytes)});
    }
    request_.entries = build_.options.entries;
    request_.defines = build_.options.defines;
    request_.arch = build_.options.arch;
    request_.planner = build_.options.planner;
    request_.until = build_.arguments.value("--until");
    request_.toolchain = build_.arguments.value("--toolchain");
    std::string out = relativeName(build_.folder);
    request_.out = out.empty() || out == "." ? "placid-out" : out;
    request_.textless = build_.format != "text";
    request_.leaseMs = kLeaseMs;
    request_.idempotencyKey = randomKey();
    return {};
  }

  /// Sources, what they import, and the settings in force.
  std::string collect() {
    SettingsFinder finder;
    std::set<std::string> modules;
    for (const source::SourcePtr &text : build_.sources.texts) {
      std::string name = relativeName(text->path);
      if (name.empty()) {
        return text->path + ": --remote builds what is below the current folder";
      }
      files_[name] = text->text;
      given_[name] = text->path;
      compiler::CheckResult check = build_.context.compiler->check(text, build_.options, build_.context.stop);
      modules.insert(check.modulesRead.begin(), check.modulesRead.end());
      if (const SettingsFinder::Found *found = finder.find(text->path)) {
        std::string inside = relativeName(found->text->path);
        // One that lies above is that of the whole build.
        files_[inside.empty() ? fs::path(found->text->path).filename().string() : inside] = found->text->text;
      }
    }
    out_.modules.assign(modules.begin(), modules.end());
    for (const std::string &module : modules) {
      std::string name = relativeName(module);
      source::SourcePtr text = readSource(module);
      if (name.empty() || !text) {
        return module + ": an imported module outside the current folder; --remote builds what is below it";
      }
      files_[name] = text->text;
      given_[name] = module;
      for (fs::path folder = fs::path(name).parent_path(); !folder.empty(); folder = folder.parent_path()) {
        std::string package = (folder / "__init__.py").string();
        if (source::SourcePtr init = readSource(package)) {
          files_[package] = init->text;
        }
      }
    }
    return {};
  }

  bool connect() {
    std::string wrong;
    channel_ = RemoteChannel::connect(settings_, build_.context.stop, wrong);
    if (!channel_) {
      out_.unreachable = "remote " + name_ + ": " + wrong;
    }
    return channel_ != nullptr;
  }

  /// The answer, over a new connection when the old one is lost. Nothing, and `out_` says why.
  std::optional<Json> ask(const std::string &method, const Json &params) {
    for (int tries = 0;; ++tries) {
      if (channel_) {
        RemoteChannel::Answer answer = channel_->call(method, params);
        if (answer.good()) {
          return std::move(answer.result);
        }
        if (answer.error) {
          out_.unreachable = "remote " + name_ + ": " + answer.error->message;
          return std::nullopt;
        }
        channel_.reset();
      }
      if (tries >= kReconnects || stopped()) {
        out_.unreachable = "remote " + name_ + ": the connection was lost";
        return std::nullopt;
      }
      for (auto until = Steady::now() + std::chrono::milliseconds(250 << tries); Steady::now() < until && !stopped();) {
        std::this_thread::sleep_for(kLook / 2);
      }
      std::string wrong;
      channel_ = RemoteChannel::connect(settings_, build_.context.stop, wrong);
      ++connections_;
      listening_ = false;
    }
  }

  bool upload() {
    Json digests = Json::array();
    std::map<std::string, const std::string *> bytes;
    for (const BuildRequest::Source &source : request_.sources) {
      bytes[source.digest.hex] = &files_[source.path];
    }
    for (const auto &[digest, text] : bytes) {
      digests.push_back(digest);
    }
    std::optional<Json> answer = ask("blob/missing", {{"digests", std::move(digests)}});
    if (!answer) {
      return false;
    }
    for (const Json &one : answer->value("missing", Json::array())) {
      auto found = one.is_string() ? bytes.find(one.get<std::string>()) : bytes.end();
      if (found == bytes.end()) {
        continue;
      }
      const std::string &text = *found->second;
      size_t at = 0;
      int restarts = 0;
      do {
        unsigned before = connections_;
        std::string_view part = std::string_view(text).substr(at, BlobLimits::kChunk);
        if (!ask("blob/put",
                 {{"digest", found->first}, {"size", text.size()}, {"offset", at}, {"base64", toBase64(part)}})) {
          if (connections_ == before || at == 0 || ++restarts > kReconnects) {
            return false;
          }
          out_.unreachable.clear(); // what had come was the lost connection's: from the start
          at = 0;
          continue;
        }
        at += part.size();
      } while (at < text.size());
    }
    return true;
  }

  bool submit() {
    std::optional<Json> answer = ask("build/submit", toJson(request_));
    id_ = answer ? textOf(*answer, "id") : std::string();
    if (answer && id_.empty()) {
      out_.unreachable = "remote " + name_ + " does not answer as a build service does";
    }
    return !id_.empty();
  }

  bool listen() {
    listening_ = listening_ || ask("build/events", {{"id", id_}, {"from", next_}}).has_value();
    return listening_;
  }

  void follow() {
    Steady::time_point renew = Steady::now() + kRenew;
    while (!over_) {
      if (stopped()) {
        // A connection of its own: this one may be what hangs.
        std::string ignored;
        if (std::unique_ptr<RemoteChannel> other = RemoteChannel::connect(settings_, {}, ignored)) {
          other->call("build/cancel", {{"id", id_}});
        }
        out_.status = "cancelled";
        return;
      }
      if (!channel_ || channel_->lost()) {
        channel_.reset();
        listening_ = false;
      }
      if (!listen()) {
        out_.status = "internal";
        return;
      }
      if (std::optional<Json> message = channel_ ? channel_->event(kLook) : std::nullopt) {
        onEvent((*message)["params"]);
      }
      if (!over_ && Steady::now() >= renew) { // however much there is to hear
        if (!ask("build/renew", {{"id", id_}, {"leaseMs", kLeaseMs}})) {
          out_.status = "internal";
          return;
        }
        renew = Steady::now() + kRenew;
      }
    }
    fetch();
  }

  void onEvent(const Json &event) {
    if (textOf(event, "id") != id_ || numberOf(event, "seq") < next_) {
      return; // heard before the connection was lost
    }
    next_ = numberOf(event, "seq") + 1;
    std::string type = textOf(event, "type");
    if (type == "buildFinished") {
      over_ = true;
      out_.kernels = numberOf(event, "kernels");
      out_.errors = numberOf(event, "errors");
      out_.warnings = numberOf(event, "warnings");
      return;
    }
    if (type == "buildStarted" || type == "artifact") {
      return; // said of this machine's own
    }
    Ordered fields = Ordered::parse(event.dump(-1, ' ', false, Json::error_handler_t::replace), nullptr, false);
    for (const char *name : {"v", "seq", "t", "id", "type"}) {
      fields.erase(name);
    }
    if (type == "diagnostic" && request_.textless) {
      note(fields);
    }
    build_.events.emit(type, fields);
  }

  /// What was found there, at its place in the file that was given here.
  void note(const Ordered &fields) {
    auto local = [&](const std::string &path) {
      auto found = given_.find(path);
      return found == given_.end() ? path : found->second;
    };
    TextLookup lookup = [&](const std::string &path) { return build_.texts.find(local(path)); };
    std::optional<diag::Diagnostic> read = readDiagnostic(fields, lookup);
    if (!read) {
      return;
    }
    read->at.path = local(read->at.path);
    if (read->annotation) {
      read->annotation->path = local(read->annotation->path);
    }
    for (diag::Related &related : read->related) {
      related.at.path = local(related.at.path);
    }
    for (diag::Fix &fix : read->fixes) {
      for (diag::Edit &edit : fix.edits) {
        edit.at.path = local(edit.at.path);
      }
    }
    out_.diagnostics.push_back(std::move(*read));
  }

  /// The result and its files, every one checked.
  void fetch() {
    std::optional<Json> result = ask("build/result", {{"id", id_}});
    if (!result) {
      out_.status = "internal";
      return;
    }
    out_.status = textOf(*result, "status");
    out_.err = textOf(*result, "err");
    out_.exitCode = static_cast<int>(std::min<uint64_t>(numberOf(*result, "exitCode"), 255));
    if (std::string reason = textOf(*result, "reason"); !reason.empty()) {
      out_.err += "placid: remote " + name_ + ": the build was cancelled: " + reason + "\n";
    }
    if (out_.status != "succeeded") {
      out_.exitCode = std::max(out_.exitCode, 1);
      return;
    }
    std::optional<RemoteFile> manifest;
    for (const Json &artifact : result->value("artifacts", Json::array())) {
      std::string name = textOf(artifact, "name");
      std::optional<Digest> digest = parseDigest(textOf(artifact, "digest"));
      bool plain = isSafeRelativePath(name) && name.find('/') == std::string::npos && isResult(name);
      std::optional<RemoteFile> file = plain && digest ? download(*digest) : std::nullopt;
      if (!file) {
        refuse(plain ? name + " did not arrive whole" : "it names a file `" + name.substr(0, 100) + "`");
        return;
      }
      file->name = name;
      if (name == "manifest.json" && !file->large) {
        manifest = std::move(file);
      } else {
        out_.files.push_back(std::move(*file));
      }
    }
    if (!manifest) {
      refuse("there is no manifest");
      return;
    }
    std::map<std::string, std::string> named = namesIn(manifest->bytes);
    std::set<std::string> seen;
    for (const RemoteFile &file : out_.files) {
      const std::string &name = file.name;
      auto found = named.find(name);
      if (found == named.end()) { // it would be written over whatever has that name here
        refuse("it sent a file `" + name.substr(0, 100) + "` that the manifest does not name");
        return;
      }
      if (!seen.insert(name).second || (!found->second.empty() && file.digest != found->second)) {
        refuse(name + " is not what the manifest says");
        return;
      }
    }
    out_.files.push_back(std::move(*manifest));
  }

  /// What a build makes, by its name: a service that means ill writes no program of another kind here.
  static bool isResult(const std::string &name) {
    static constexpr std::string_view kResults[] = {".pto", ".mlir", ".cpp", ".o", ".so"};
    return name == "manifest.json" ||
           (name.front() != '.' && std::any_of(std::begin(kResults), std::end(kResults),
                                               [&](std::string_view end) { return name.ends_with(end); }));
  }

  /// The files of a manifest, with their SHA-256 where it has them.
  static std::map<std::string, std::string> namesIn(const std::string &text) {
    std::map<std::string, std::string> out;
    Json manifest = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    auto kernels = manifest.is_object() ? manifest.find("kernels") : manifest.end();
    if (!manifest.is_object() || kernels == manifest.end() || !kernels->is_array()) {
      return out;
    }
    for (const Json &kernel : *kernels) {
      out.emplace(textOf(kernel, "pto"), "");
      out.emplace(textOf(kernel, "pl"), "");
      auto files = kernel.is_object() ? kernel.find("files") : kernel.end();
      if (kernel.is_object() && files != kernel.end() && files->is_array()) {
        for (const Json &file : *files) {
          out[textOf(file, "path")] = textOf(file, "sha256");
        }
      }
    }
    return out;
  }

  void refuse(const std::string &why) {
    out_.files.clear();
    out_.status = "internal";
    if (out_.unreachable.empty()) {
      out_.unreachable = "remote " + name_ + ": " + why;
    }
  }

  /// A file without a name beside the folder of results: it is gone with whoever holds it.
  std::shared_ptr<const int> namelessFile() const {
    std::error_code error;
    fs::path beside = fs::absolute(build_.folder, error).parent_path();
    if (error) {
      return nullptr;
    }
    int fd = ::open(beside.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) { // a file system that has none
      std::string name = (beside / "placid-XXXXXX").string();
      fd = ::mkostemp(name.data(), O_CLOEXEC);
      ::unlink(name.c_str());
    }
    auto close = [](const int *one) {
      ::close(*one);
      delete one;
    };
    return fd < 0 ? nullptr : std::shared_ptr<const int>(new int(fd), close);
  }

  std::optional<RemoteFile> download(const Digest &digest) {
    RemoteFile out;
    out.digest = digest.hex;
    Hasher hasher;
    for (uint64_t at = 0;;) {
      std::optional<Json> part = ask("blob/get", {{"digest", digest.hex}, {"offset", at}});
      std::optional<std::string> more = part ? fromBase64(textOf(*part, "base64")) : std::nullopt;
      uint64_t size = part ? numberOf(*part, "size") : 0;
      if (!more || size > kMaxBlob || at + more->size() > size || (more->empty() && at < size)) {
        return std::nullopt;
      }
      hasher.add(*more);
      at += more->size();
      if (size >= Store::kLarge && !out.large && !(out.large = namelessFile())) {
        out_.unreachable = "remote " + name_ + ": no file can be made beside " + build_.folder;
        return std::nullopt;
      }
      if (out.large && writeAll(*out.large, *more) != 0) {
        out_.unreachable = "remote " + name_ + ": what it sends cannot be written: " + std::strerror(errno);
        return std::nullopt;
      }
      if (!out.large) {
        out.bytes += *more;
      }
      if (at == size) {
        return hasher.finish() == digest ? std::optional(std::move(out)) : std::nullopt;
      }
    }
  }

  const RemoteBuild &build_;
  RemoteResult out_;
  std::string name_, id_;
  RemoteSettings settings_;
  BuildRequest request_;
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> given_; ///< By the name that the service has for it: the path of here.
  std::unique_ptr<RemoteChannel> channel_;
  uint64_t next_ = 0;
  unsigned connections_ = 0; ///< After the first.
  bool listening_ = false, over_ = false;
};

} // namespace

RemoteResult buildRemotely(const RemoteBuild &build) { return Remote(build).run(); }

} // namespace placid::server
