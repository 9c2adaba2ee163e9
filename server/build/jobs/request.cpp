// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/request.h"

#include "server/build/executor/action.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;
using protocol::RpcError;

namespace {

/// Reads members and remembers the first that is wrong.
class Reader {
public:
  explicit Reader(const Json &object) : object_(object) {
    if (!object.is_object()) {
      wrong("an object");
    }
  }

  const Json *member(const char *name) {
    auto found = object_.is_object() ? object_.find(name) : object_.end();
    return object_.is_object() && found != object_.end() && !found->is_null() ? &*found : nullptr;
  }

  void text(const char *name, std::string &out) {
    if (const Json *value = member(name)) {
      take(name, *value, out);
    }
  }

  void number(const char *name, int64_t least, int64_t most, int64_t &out) {
    const Json *value = member(name);
    if (!value) {
      return;
    }
    if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t{1} << 62) ||
        value->get<int64_t>() < least || value->get<int64_t>() > most) {
      wrong(std::string("`") + name + "`: a number from " + std::to_string(least) + " to " + std::to_string(most));
      return;
    }
    out = value->get<int64_t>();
  }

  void flag(const char *name, bool &out) {
    const Json *value = member(name);
    if (value && !value->is_boolean()) {
      wrong(std::string("`") + name + "`: true or false");
    } else if (value) {
      out = value->get<bool>();
    }
  }

  void list(const char *name, std::vector<std::string> &out) {
    const Json *value = member(name);
    if (!value) {
      return;
    }
    if (!value->is_array() || value->size() > RequestLimits::kWords) {
      wrong(std::string("`") + name + "`: a list of at most " + std::to_string(RequestLimits::kWords) + " texts");
      return;
    }
    for (const Json &item : *value) {
      take(name, item, out.emplace_back());
    }
  }

  void table(const char *name, std::map<std::string, std::string> &out) {
    const Json *value = member(name);
    if (!value) {
      return;
    }
    if (!value->is_object() || value->size() > RequestLimits::kWords) {
      wrong(std::string("`") + name + "`: an object of texts");
      return;
    }
    for (const auto &[key, item] : value->items()) {
      take(name, item, out[key]);
    }
  }

  void take(const char *name, const Json &value, std::string &out) {
    bool good = value.is_string() && value.get_ref<const std::string &>().size() <= RequestLimits::kWordBytes &&
                value.get_ref<const std::string &>().find('\0') == std::string::npos;
    if (good) {
      out = value.get<std::string>();
    } else {
      wrong(std::string("`") + name + "`: a text of at most " + std::to_string(RequestLimits::kWordBytes) +
            " bytes without NUL");
    }
  }

  /// Anything else would be a wish that nobody hears.
  void knowsOnly(std::initializer_list<std::string_view> names) {
    if (!object_.is_object()) {
      return;
    }
    for (const auto &[key, value] : object_.items()) {
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        wrong("no member `" + key.substr(0, 80) + "`");
      }
    }
  }

  void wrong(const std::string &what) {
    if (fault.empty()) {
      fault = "build/submit: expected " + what;
    }
  }

  std::string fault;

private:
  const Json &object_;
};

/// `options` may hold those of the command line; said outside too, they have to agree.
void readOptions(Reader &reader, BuildRequest &out) {
  const Json *given = reader.member("options");
  if (!given) {
    return;
  }
  Reader options(*given);
  options.knowsOnly({"defines", "toolchain", "out"});
  auto take = [&](const char *name, auto read, auto &value) {
    if (!options.member(name)) {
      return;
    }
    auto inside = value;
    inside.clear();
    (options.*read)(name, inside);
    if (reader.member(name) && inside != value) {
      reader.wrong(std::string("one `") + name + "`: that of `options` is another");
    }
    value = std::move(inside);
  };
  take("defines", &Reader::table, out.defines);
  take("toolchain", &Reader::text, out.toolchain);
  take("out", &Reader::text, out.out);
  if (!options.fault.empty() && reader.fault.empty()) {
    reader.fault = options.fault;
  }
}

bool oneOf(const std::string &text, std::initializer_list<const char *> words) {
  return text.empty() || std::find(words.begin(), words.end(), text) != words.end();
}

std::string pathFault(const std::string &path) {
  return isSafeRelativePath(path) ? std::string()
                                  : "`" + path.substr(0, 200) + "` is no path below the build's own folder";
}

std::string faultOf(const BuildRequest &request) {
  if (request.sources.empty()) {
    return "a build has at least one source";
  }
  std::set<std::string> names;
  for (const BuildRequest::Source &source : request.sources) {
    if (std::string fault = pathFault(source.path); !fault.empty()) {
      return fault;
    }
    if (!names.insert(source.path).second) {
      return "`" + source.path + "` is there twice";
    }
  }
  for (const std::string &path : request.paths) {
    if (std::string fault = path == "." ? std::string() : pathFault(path); !fault.empty()) {
      return fault;
    }
  }
  // A file cannot be a folder of another.
  for (const std::string &name : names) {
    for (size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
      if (names.count(name.substr(0, at)) != 0) {
        return "`" + name.substr(0, at) + "` is a file and a folder";
      }
    }
  }
  if (std::string fault = pathFault(request.out); !fault.empty()) {
    return fault;
  }
  if (!oneOf(request.until, {"pl", "pto", "cpp", "object", "link"})) {
    return "there is no stage `" + request.until + "`: pl, pto, cpp, object or link";
  }
  if (!oneOf(request.arch, {"a2", "a3", "a2a3", "a5"})) {
    return "there is no arch `" + request.arch + "`: a2, a3 or a5";
  }
  if (!oneOf(request.planner, {"placid", "ptoas"})) {
    return "there is no planner `" + request.planner + "`: placid or ptoas";
  }
  if (request.idempotencyKey.empty() || request.idempotencyKey.size() > 200) {
    return "`idempotencyKey` is a text of 1 to 200 bytes: the same request sent again is the same build";
  }
  return labelFault(request.labels);
}

} // namespace

protocol::Result<BuildRequest> buildRequestFromJson(const Json &params) {
  BuildRequest out;
  Reader reader(params);
  const Json *sources = reader.member("sources");
  if (!sources || !sources->is_array() || sources->size() > RequestLimits::kSources) {
    reader.wrong("`sources`: a list of at most " + std::to_string(RequestLimits::kSources) + " {path, digest}");
  } else {
    for (const Json &item : *sources) {
      Reader one(item);
      BuildRequest::Source source;
      std::string digest;
      one.text("path", source.path);
      one.text("digest", digest);
      std::optional<Digest> parsed = parseDigest(digest);
      if (!one.fault.empty() || !parsed) {
        reader.wrong("sources as {path, digest}, the digest 64 hexadecimal digits");
        break;
      }
      source.digest = *parsed;
      out.sources.push_back(std::move(source));
    }
  }
  reader.knowsOnly({"sources", "paths", "entries", "defines", "labels", "arch", "planner", "until", "toolchain", "out",
                    "textless", "options", "idempotencyKey", "priority", "deadlineMs", "leaseMs"});
  reader.list("paths", out.paths);
  reader.list("entries", out.entries);
  reader.table("defines", out.defines);
  reader.table("labels", out.labels);
  reader.text("arch", out.arch);
  reader.text("planner", out.planner);
  reader.text("until", out.until);
  reader.text("toolchain", out.toolchain);
  reader.text("out", out.out);
  reader.flag("textless", out.textless);
  reader.text("idempotencyKey", out.idempotencyKey);
  int64_t priority = 0;
  reader.number("priority", -100, 100, priority);
  reader.number("deadlineMs", 0, RequestLimits::kMostMs, out.deadlineMs);
  reader.number("leaseMs", 0, RequestLimits::kMostMs, out.leaseMs);
  out.priority = static_cast<int>(priority);
  readOptions(reader, out);
  if (reader.fault.empty()) {
    reader.fault = faultOf(out);
  }
  if (!reader.fault.empty()) {
    return RpcError{ErrorCode::InvalidParams, reader.fault};
  }
  return out;
}

Json toJson(const BuildRequest &request) {
  Json sources = Json::array();
  for (const BuildRequest::Source &source : request.sources) {
    sources.push_back({{"path", source.path}, {"digest", source.digest.hex}});
  }
  Json out = {{"sources", std::move(sources)},
              {"paths", request.paths},
              {"entries", request.entries},
              {"defines", request.defines},
              {"labels", request.labels},
              {"arch", request.arch},
              {"planner", request.planner},
              {"until", request.until},
              {"toolchain", request.toolchain},
              {"out", request.out},
              {"idempotencyKey", request.idempotencyKey},
              {"priority", request.priority},
              {"deadlineMs", request.deadlineMs},
              {"leaseMs", request.leaseMs}};
  if (request.textless) { // not said by those who do not know it
    out["textless"] = true;
  }
  return out;
}

std::vector<std::string> commandLine(const BuildRequest &request) {
  std::vector<std::string> words = {"build", "--quiet", "--events", "-", "--out", request.out};
  auto option = [&](const char *name, const std::string &value) {
    if (!value.empty()) {
      words.push_back(std::string(name) + "=" + value); // one word: a value is never taken for an option
    }
  };
  if (request.textless) {
    words = {"build", "--quiet", "--format", "ndjson", "--out", request.out};
  }
  option("--arch", request.arch);
  option("--planner", request.planner);
  option("--until", request.until);
  option("--toolchain", request.toolchain);
  for (const std::string &entry : request.entries) {
    option("--entry", entry);
  }
  for (const auto &[name, value] : request.defines) {
    std::string define = name;
    define += '=';
    define += value;
    option("--define", define);
  }
  words.emplace_back("--");
  if (request.paths.empty()) {
    for (const BuildRequest::Source &source : request.sources) {
      if (source.path.ends_with(".py")) {
        words.push_back(source.path);
      }
    }
  }
  words.insert(words.end(), request.paths.begin(), request.paths.end());
  return words;
}

} // namespace placid::server
