// SPDX-License-Identifier: Apache-2.0
#include "server/build/graph/broker.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace placid::server {

using Json = nlohmann::json;

namespace {

constexpr int kForm = 1;
/// Of what a tool wrote, so much is kept for those who ask later.
constexpr size_t kKeptLog = size_t{256} << 10;

/// A field of an index row, which may hold anything: another release or a damaged disk may have written it.
std::string textOf(const Json &json, const std::string &name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int numberOf(const Json &json, const char *name, int missing) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_number_integer() ? found->get<int>() : missing;
}

Json objectOf(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_object() ? *found : Json::object();
}

std::string clipped(const std::string &text) {
  return text.size() <= kKeptLog ? text : text.substr(text.size() - kKeptLog);
}

} // namespace

std::string_view fromName(ActionResult::From from) {
  return from == ActionResult::From::Run ? "run" : from == ActionResult::From::Cache ? "cache" : "merged";
}

std::vector<std::string> filesOfMakeRule(std::string_view text) {
  std::vector<std::string> out;
  size_t at = text.find(": ");
  if (at == std::string_view::npos) {
    return out;
  }
  std::string word;
  auto flush = [&] {
    if (!word.empty()) {
      out.push_back(std::move(word));
    }
    word.clear();
  };
  for (at += 2; at < text.size(); ++at) {
    char c = text[at];
    char next = at + 1 < text.size() ? text[at + 1] : '\n';
    if (c == '\\' && (next == '\n' || next == '\r')) {
      flush();
      ++at;
    } else if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += next;
      ++at;
    } else if (c == '$' && next == '$') {
      word += c;
      ++at;
    } else if (c == '\n') {
      break; // one rule; phony rules may follow
    } else if (c == ' ' || c == '\t' || c == '\r') {
      flush();
    } else {
      word += c;
    }
  }
  flush();
  return out;
}

/// One action that runs for all who wait for it. Everything but the constant members under the broker's mutex.
struct Broker::Flight {
  Action action;
  ActionLimits limits;
  Digest key;
  std::stop_source stop;
  size_t waiters = 0;
  bool done = false;
  bool known = false; ///< The outcome was in the store.
  Outcome outcome;
  int attempts = 0;
  /// What the tool has said so far. Each waiter tells its own listener on its own thread, so that one that is slow or
  /// never comes back delays neither the tool nor the others.
  struct Said {
    Stream stream;
    uint64_t offset;
    std::string bytes;
  };
  std::vector<std::shared_ptr<const Said>> said;
};

Broker::Broker(Store &store, Executor &executor, BrokerPolicy policy)
    : store_(store), executor_(executor), policy_(policy) {}

Broker::~Broker() {
  MutexLock lock(mutex_);
  for (const auto &[key, flight] : flights_) {
    flight->stop.request_stop();
  }
  while (threads_ != 0) {
    changed_.wait(mutex_);
  }
}

BrokerCounters Broker::counters() const { return {hits_, runs_, merged_, retries_}; }

std::optional<Outcome> Broker::recall(const Digest &key, const Action &action) {
  std::optional<std::string> kept = policy_.useCache ? store_.recall("action:" + key.hex) : std::nullopt;
  if (!kept) {
    return std::nullopt;
  }
  Json json = Json::parse(*kept, nullptr, /*allow_exceptions=*/false);
  if (numberOf(json, "form", 0) != kForm) {
    return std::nullopt;
  }
  ToolRun run;
  run.exitCode = numberOf(json, "exit", -1);
  auto text = [&](const char *name) -> std::optional<std::string> {
    std::optional<Digest> digest = parseDigest(textOf(json, name));
    StoreResult<std::string> bytes = digest ? store_.get(*digest) : StoreFault{};
    return bytes ? std::optional(*bytes) : std::nullopt;
  };
  std::optional<std::string> out = text("out");
  std::optional<std::string> err = text("err");
  if (!out || !err) {
    return std::nullopt;
  }
  run.out = std::move(*out);
  run.err = std::move(*err);
  // What was read from outside the action has to be as it was.
  const Json reads = objectOf(json, "reads");
  for (const auto &[path, digest] : reads.items()) {
    std::optional<Digest> now = store_.fileDigest(path);
    if (!digest.is_string() || !now || now->hex != digest.get<std::string>()) {
      return std::nullopt;
    }
  }
  const Json outputs = objectOf(json, "outputs");
  for (const std::string &name : action.outputs) {
    std::optional<Digest> digest = parseDigest(textOf(outputs, name));
    if (!digest && run.exitCode != 0) {
      continue;
    }
    // Read, not only looked for: a result whose blob is gone or damaged is no result, and the action runs again.
    if (!digest || !store_.check(*digest)) {
      return std::nullopt;
    }
    run.outputs[name] = *digest;
  }
  return run;
}

void Broker::remember(const Digest &key, const Action &action, const ToolRun &run,
                      std::filesystem::file_time_type began) {
  bool whole = run.signal == 0 && (run.exitCode != 0 ||
                                   std::all_of(action.outputs.begin(), action.outputs.end(),
                                               [&](const std::string &name) { return run.outputs.count(name) != 0; }));
  if (!policy_.useCache || !whole || (run.exitCode != 0 && policy_.failureSeconds <= 0)) {
    return;
  }
  StoreResult<Digest> out = store_.put(clipped(run.out));
  StoreResult<Digest> err = store_.put(clipped(run.err));
  if (!out || !err) {
    return;
  }
  Json json = {{"form", kForm}, {"exit", run.exitCode}, {"out", out->hex}, {"err", err->hex}};
  json["outputs"] = Json::object();
  for (const auto &[name, digest] : run.outputs) {
    if (name != action.depFile) {
      json["outputs"][name] = digest.hex;
    }
  }
  json["reads"] = Json::object();
  // Of a refusal too: whoever mends the header that was at fault is not told of it again.
  if (auto dep = run.outputs.find(action.depFile); !action.depFile.empty()) {
    StoreResult<std::string> rule = dep == run.outputs.end() ? StoreFault{} : store_.get(dep->second);
    if (!rule) {
      return; // what it depends on is not known
    }
    for (const std::string &path : filesOfMakeRule(*rule)) {
      if (!path.starts_with("/")) {
        continue; // an input
      }
      std::error_code error;
      const auto written = std::filesystem::last_write_time(path, error);
      std::optional<Digest> digest = store_.fileDigest(path);
      if (!digest || error || written >= began) {
        return; // nobody knows whether the tool has read this or what was there before
      }
      json["reads"][path] = digest->hex;
    }
  }
  store_.remember("action:" + key.hex, json.dump(-1, ' ', false, Json::error_handler_t::replace),
                  run.exitCode == 0 ? 0 : policy_.failureSeconds);
}

Outcome Broker::attempt(Flight &flight) {
  ActionWatcher watcher;
  watcher.log = [&](Stream stream, uint64_t offset, std::string_view bytes) {
    auto said = std::make_shared<const Flight::Said>(Flight::Said{stream, offset, std::string(bytes)});
    {
      MutexLock lock(mutex_);
      flight.said.push_back(std::move(said));
    }
    changed_.notifyAll();
  };
  for (int tries = 1;; ++tries) {
    ++runs_;
    Outcome outcome = executor_.run(flight.action, flight.limits, watcher, flight.stop.get_token());
    flight.attempts = tries;
    const InfraFailure *failure = std::get_if<InfraFailure>(&outcome);
    // A tool that was killed takes too much; once more may find room, more often only costs the others.
    const bool memory = failure && failure->code == InfraFailure::Code::Memory;
    const bool killed = memory || (failure && failure->code == InfraFailure::Code::Killed);
    if (!failure || !failure->retryable || tries >= (killed ? std::min(2, policy_.attempts) : policy_.attempts)) {
      return outcome;
    }
    ++retries_;
    flight.limits.memoryBytes *= memory ? 2 : 1;
    // Not all at the same time: the key spreads them, the same way each time.
    auto pause = policy_.firstPause * (1 << (tries - 1));
    pause += pause * (flight.key.hex.empty() ? 0 : flight.key.hex[0] % 8) / 16;
    auto until = std::chrono::steady_clock::now() + pause;
    std::stop_callback wake(flight.stop.get_token(), [this] { changed_.notifyAll(); });
    MutexLock lock(mutex_);
    while (!flight.stop.stop_requested() && changed_.waitUntil(mutex_, until)) {
    }
    if (flight.stop.stop_requested()) {
      return Cancelled{};
    }
  }
}

void Broker::fly(const std::shared_ptr<Flight> &flight) {
  std::vector<Digest> needed;
  for (const ActionInput &input : flight->action.inputs) {
    needed.push_back(input.digest);
  }
  // Until it has run, also after a pause. Let go before the last notice, after which there may be no store.
  std::optional<Store::Pin> pin(std::in_place, store_, std::move(needed));
  // Another flight may have ended between the look into the store and the start of this one.
  std::optional<Outcome> known = recall(flight->key, flight->action);
  const auto began = std::filesystem::file_time_type::clock::now();
  Outcome outcome = known ? std::move(*known) : attempt(*flight);
  if (const ToolRun *run = std::get_if<ToolRun>(&outcome); run && !known) {
    remember(flight->key, flight->action, *run, began);
  }
  pin.reset();
  MutexLock lock(mutex_);
  flight->known = known.has_value();
  flight->outcome = std::move(outcome);
  flight->done = true;
  auto found = flights_.find(flight->key);
  if (found != flights_.end() && found->second == flight) {
    flights_.erase(found);
  }
  --threads_;
  changed_.notifyAll();
}

ActionResult Broker::run(const Action &action, const ActionLimits &limits, const std::stop_token &stop,
                         const Log &log) {
  ActionResult result;
  result.key = keyOf(action);
  result.outcome = Cancelled{};
  if (stop.stop_requested()) {
    return result;
  }
  if (std::optional<Outcome> known = recall(result.key, action)) {
    ++hits_;
    result.from = ActionResult::From::Cache;
    result.outcome = std::move(*known);
    return result;
  }
  std::shared_ptr<Flight> flight;
  {
    MutexLock lock(mutex_);
    std::shared_ptr<Flight> &slot = flights_[result.key];
    if (!slot) {
      slot = std::make_shared<Flight>();
      slot->action = action;
      slot->limits = limits;
      slot->key = result.key;
      flight = slot;
      ++threads_;
      try {
        std::thread([this, flight] { fly(flight); }).detach(); // the destructor waits for it
      } catch (const std::system_error &error) {
        --threads_;
        flights_.erase(result.key);
        result.outcome = InfraFailure{InfraFailure::Code::System, std::string("no thread: ") + error.what(), true};
        return result;
      }
    } else {
      flight = slot;
      result.from = ActionResult::From::Merged;
      ++merged_;
    }
    ++flight->waiters;
  }
  {
    std::stop_callback wake(stop, [this] {
      MutexLock lock(mutex_); // or the notice could fall between a waiter's look and its wait
      changed_.notifyAll();
    });
    for (size_t told = 0;;) {
      std::shared_ptr<const Flight::Said> said;
      {
        MutexLock lock(mutex_);
        auto news = [&] { return log && told < flight->said.size(); };
        while (!stop.stop_requested() && !flight->done && !news()) {
          changed_.wait(mutex_);
        }
        if (!stop.stop_requested() && news()) {
          said = flight->said[told++];
        }
      }
      if (!said) {
        break;
      }
      log(said->stream, said->offset, said->bytes);
    }
    MutexLock lock(mutex_);
    if (--flight->waiters == 0 && !flight->done) {
      flight->stop.request_stop();
      // Who asks now begins anew instead of joining what is being ended.
      auto found = flights_.find(result.key);
      if (found != flights_.end() && found->second == flight) {
        flights_.erase(found);
      }
    }
    if (flight->done) {
      result.outcome = flight->outcome;
      result.attempts = flight->attempts;
      result.from = flight->known ? ActionResult::From::Cache : result.from;
    }
  }
  return result;
}

} // namespace placid::server
