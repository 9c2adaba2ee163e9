// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/pages.h"

#include "server/render/picture_svg.h"
#include "server/support/markup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace placid::server {

using protocol::Json;

namespace {

constexpr size_t kShownBuilds = 50, kShownDiagnostics = 200, kShownPictures = 40;
constexpr int64_t kFractalRows = 16, kLineBytes = 32;

constexpr const char *kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c2330}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}"
    "td,th{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #dde2ea;vertical-align:top}"
    ".succeeded{color:#146c2e}.failed,.internal{color:#a1260d}pre{margin:0;white-space:pre-wrap;font-size:13px}"
    "@media(prefers-color-scheme:dark){body{background:#14181f;color:#dfe5ee}td,th{border-color:#2c3440}"
    ".succeeded{color:#6fd08c}.failed,.internal{color:#ff8f73}a{color:#79c0ff}}"
    ".line{margin-top:.3rem;color:#5a6472}mark{background:#ffe3d9;color:#1c2330;padding:0 .1rem}"
    "@media(prefers-color-scheme:dark){.line{color:#9aa6b6}mark{background:#5c2a1c;color:#ffe9e2}}"
    "svg{max-width:100%;height:auto}.quiet{color:#6b7686}";

std::string head(const std::string &title) {
  return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escapeMarkup(title) +
         "</title><style>" + kStyle + "</style></head><body>";
}

std::string show(const Json &value) {
  return escapeMarkup(value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : value.dump());
}

Json memberOf(const Json &json, const char *name) { return json.is_object() ? json.value(name, Json()) : Json(); }

std::string cell(const std::string &text, const std::string &kind = {}) {
  return "<td" + (kind.empty() ? std::string() : " class=\"" + escapeMarkup(kind) + "\"") + ">" + text + "</td>";
}

/// How much was said: of a build that is over.
std::string countsOf(BuildApi &api, const JobStatus &build) {
  std::string out;
  if (build.events == 0 || build.state == "queued" || build.state == "running") {
    return out;
  }
  for (const std::string &line : api.jobs().journal().events(build.id, build.events - 1, 1)) {
    Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    for (const char *name : {"kernels", "errors", "warnings"}) {
      Json count = memberOf(event, name);
      if (count.is_number_unsigned()) {
        out += (out.empty() ? "" : ", ") + count.dump() + " " + name;
      }
    }
  }
  return out;
}

/// What of a build is shown.
struct Seen {
  std::vector<Json> diagnostics;
  std::vector<Json> steps; ///< `passFinished` and `cacheHit`.
  std::vector<Picture> pictures;
  std::set<std::string> workers;
  Json last;
};

int64_t numberAt(const Json &list, size_t at) {
  return list.is_array() && at < list.size() && list[at].is_number_integer() ? list[at].get<int64_t>() : 0;
}

std::string listText(const Json &list) {
  std::string out;
  if (list.is_array()) {
    for (const Json &item : list) {
      out += (out.empty() ? "" : ", ") + (item.is_string() ? item.get<std::string>() : item.dump());
    }
  }
  return "[" + out + "]";
}

std::vector<compiler::Expr> exprs(const Json &list) {
  std::vector<compiler::Expr> out;
  for (size_t i = 0; list.is_array() && i < list.size(); ++i) {
    if (list[i].is_number_integer()) {
      out.emplace_back(list[i].get<int64_t>());
    } else {
      out.emplace_back(list[i].is_string() ? list[i].get<std::string>() : std::string());
    }
  }
  return out;
}

/// The layout of an NZ argument, as `kernelQueued` has it.
Picture pictureOf(const Json &event, const Json &tensor) {
  auto text = [](const Json &value) { return value.is_string() ? value.get<std::string>() : std::string(); };
  Json blocked = memberOf(tensor, "blocked");
  Picture out;
  out.kernel = text(memberOf(event, "kernel"));
  out.tensor = text(memberOf(tensor, "name"));
  out.dtype = text(memberOf(tensor, "dtype"));
  out.logical = listText(memberOf(tensor, "shape"));
  out.blocked = listText(blocked);
  Json accesses = memberOf(tensor, "accesses");
  out.windowsKnown = accesses.is_array(); // otherwise nobody looked for them
  out.c0 = numberAt(blocked, 4);
  if (out.c0 > 0 && numberAt(blocked, 3) == kFractalRows) {
    out.elementBytes = kLineBytes / out.c0;
    out.columnFractals = std::max<int64_t>(0, numberAt(blocked, 1));
    out.rowFractals = std::max<int64_t>(0, numberAt(blocked, 2));
    Json panels = blocked.is_array() && !blocked.empty() ? blocked[0] : Json();
    out.panels = panels.is_string() ? panels.get<std::string>() : panels.dump();
  }
  for (size_t i = 0; out.windowsKnown && i < accesses.size(); ++i) {
    const Json &one = accesses[i];
    compiler::InspectAccess access;
    access.op = text(memberOf(one, "op"));
    access.result = text(memberOf(one, "result"));
    access.offsets = exprs(memberOf(one, "offsets"));
    access.sizes = exprs(memberOf(one, "sizes"));
    if (Json gap = memberOf(one, "gapBlocks"); gap.is_number_integer()) {
      access.gapBlocks = gap.get<int64_t>();
    }
    Json line = memberOf(one, "line");
    if (access.offsets.size() == 5) {
      out.windows.push_back(
          windowOf(access, line.is_number_unsigned() ? static_cast<uint32_t>(line.get<uint64_t>()) : 0, out.c0));
    }
  }
  return out;
}

/// Of a long build few events are of interest here: they are picked out where they lie.
Seen read(BuildApi &api, const JobStatus &build) {
  Seen out;
  auto each = [&](const char *one, const char *other, size_t most, const auto &take) {
    for (const std::string &line : api.jobs().journal().eventsWith(build.id, one, other, most)) {
      take(Json::parse(line, nullptr, /*allow_exceptions=*/false));
    }
  };
  const char *diagnostic = "\"type\":\"diagnostic\"";
  each(diagnostic, diagnostic, kShownDiagnostics, [&](Json event) { out.diagnostics.push_back(std::move(event)); });
  each("\"type\":\"passFinished\"", "\"type\":\"cacheHit\"", kShownDiagnostics, [&](Json event) {
    if (Json worker = memberOf(event, "worker"); worker.is_string()) {
      out.workers.insert(worker.get<std::string>());
    }
    out.steps.push_back(std::move(event));
  });
  const char *tensors = "\"nz\":[{";
  each(tensors, tensors, kShownPictures, [&](const Json &event) {
    for (const Json &tensor : memberOf(event, "nz")) {
      if (out.pictures.size() < kShownPictures) {
        out.pictures.push_back(pictureOf(event, tensor));
      }
    }
  });
  if (build.events != 0) {
    for (const std::string &line : api.jobs().journal().events(build.id, build.events - 1, 1)) {
      Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      out.last = memberOf(event, "type") == "buildFinished" ? std::move(event) : Json();
    }
  }
  return out;
}

/// Says "none" only of a build that has said so.
std::string noDiagnostics(const Seen &seen) {
  auto count = [&](const char *name) {
    Json number = memberOf(seen.last, name);
    return number.is_number_unsigned() ? number.get<uint64_t>() : 0;
  };
  std::string text = seen.last.is_null()                        ? "none so far"
                     : count("errors") + count("warnings") != 0 ? "what was said was not kept"
                                                                : "none";
  return "<p class=\"quiet\">" + text + "</p>";
}

std::string placeOf(const Json &diagnostic) {
  Json start = memberOf(memberOf(diagnostic, "range"), "start");
  Json line = memberOf(start, "line");
  Json character = memberOf(start, "character");
  std::string out = show(memberOf(diagnostic, "path"));
  if (line.is_number_unsigned() && character.is_number_unsigned()) {
    out += ":" + std::to_string(line.get<uint64_t>() + 1) + ":" + std::to_string(character.get<uint64_t>() + 1);
  }
  return out;
}

/// The line that has to change, with what of it is meant.
std::string lineOf(const Json &diagnostic) {
  Json text = memberOf(diagnostic, "lineText");
  if (!text.is_string()) {
    return {};
  }
  source::SourceText line("", text.get<std::string>());
  Json range = memberOf(diagnostic, "range");
  auto at = [&](const char *name) {
    Json character = memberOf(memberOf(range, name), "character");
    uint64_t number = character.is_number_unsigned() ? character.get<uint64_t>() : 0;
    return line.lines.offset(line.text, {0, static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX))});
  };
  bool one = memberOf(memberOf(range, "start"), "line") == memberOf(memberOf(range, "end"), "line");
  uint32_t begin = at("start");
  uint32_t end = one ? std::max(begin, at("end")) : static_cast<uint32_t>(line.text.size());
  std::string_view all = line.text;
  return "<pre class=\"line\">" + escapeMarkup(all.substr(0, begin)) + "<mark>" +
         escapeMarkup(all.substr(begin, end - begin)) + "</mark>" + escapeMarkup(all.substr(end)) + "</pre>";
}

std::string stepTable(const Seen &seen) {
  std::string out = "<h2>Steps</h2><table id=\"steps\"><tr><th>kernel</th><th>step</th><th>from</th><th>ran</th>"
                    "<th>waited</th><th>worker</th></tr>";
  for (const Json &step : seen.steps) {
    bool known = memberOf(step, "type") == "cacheHit";
    auto time = [&](const char *name) {
      Json value = memberOf(step, name);
      return value.is_number() ? value.dump() + " ms" : std::string();
    };
    out += "<tr>" + cell(show(memberOf(step, "kernel"))) + cell(show(memberOf(step, "step"))) +
           cell(known ? "cache" : show(memberOf(step, "from"))) + cell(time("runMs")) + cell(time("queueMs")) +
           cell(show(memberOf(step, "worker"))) + "</tr>";
  }
  return seen.steps.empty() ? std::string() : out + "</table>";
}

std::string buildTable(BuildApi &api, const std::string &client, const std::string &key) {
  std::string out = "<table id=\"builds\"><tr><th>build</th><th>client</th><th>state</th><th>said</th></tr>";
  for (const JobStatus &build : api.jobs().list(client, kShownBuilds)) {
    std::string id = escapeMarkup(build.id);
    std::string link =
        "<a href=\"/builds/" + id + (key.empty() ? "" : "?key=" + escapeMarkup(key)) + "\">" + id + "</a>";
    out += "<tr>" + cell(link) + cell(escapeMarkup(build.client)) + cell(escapeMarkup(build.state), build.state) +
           cell(countsOf(api, build)) + "</tr>";
  }
  return out + "</table>";
}

} // namespace

std::string indexPage(BuildApi &api, const std::string &client, const std::string &key) {
  Json state = api.server();
  std::string out = head("placid builds") + "<h1>placid " + show(state["placid"]) +
                    "</h1><table><tr><th>queued</th><th>running</th><th>workers</th><th>cache hits</th><th>runs</th>"
                    "<th>merged</th><th>retries</th><th>store</th></tr><tr><td id=\"queued\">" +
                    show(state["queued"]) + "</td><td id=\"running\">" + show(state["running"]) +
                    "</td><td id=\"workers\">" + show(state["executor"]["slots"]) + " (" +
                    show(state["executor"]["name"]) + ")</td><td id=\"hits\">" + show(state["actions"]["hits"]) +
                    "</td>" + cell(show(state["actions"]["runs"])) + cell(show(state["actions"]["merged"])) +
                    cell(show(state["actions"]["retries"])) +
                    cell(show(state["storeBytes"].get<uint64_t>() >> 20) + " MiB") + "</tr></table>";
  std::string names;
  for (const Json &name : state["labels"]["tc"]) {
    names += (names.empty() ? "" : ", ") + show(name);
  }
  out += "<h2>Toolchains</h2><p>" + (names.empty() ? "none: placid doctor says what is missing" : names) +
         "</p><h2>Recent builds</h2>";
  if (client.empty()) {
    out += "<p class=\"quiet\">They are their clients'. <code>placid status</code> shows the address "
           "under which they can be read here.</p>";
  } else {
    out += buildTable(api, client, key);
  }
  return out + "</body></html>\n";
}

std::optional<std::string> buildPage(BuildApi &api, const std::string &client, const std::string &id,
                                     const std::string &key) {
  std::optional<JobStatus> build = api.jobs().status(client, id);
  if (!build) {
    return std::nullopt;
  }
  Seen seen = read(api, *build);
  std::string out = head("placid build " + id) + "<p><a href=\"/" + (key.empty() ? "" : "?key=" + escapeMarkup(key)) +
                    "\">all builds</a></p><h1>" + escapeMarkup(id) + "</h1><p>of " + escapeMarkup(build->client) +
                    ": <span id=\"state\" class=\"" + escapeMarkup(build->state) + "\">" + escapeMarkup(build->state) +
                    "</span> " + countsOf(api, *build) + "</p>";
  if (Json reason = memberOf(seen.last, "reason"); reason.is_string()) {
    out += "<p>" + show(reason) + "</p>";
  }
  out += "<h2>Diagnostics</h2>";
  if (seen.diagnostics.empty()) {
    out += noDiagnostics(seen);
  } else {
    out += "<table id=\"diagnostics\"><tr><th>place</th><th></th><th>code</th><th>message</th></tr>";
    for (const Json &one : seen.diagnostics) {
      std::string severity = memberOf(one, "severity") == "error" ? "failed" : "";
      out += "<tr>" + cell(placeOf(one)) + cell(show(memberOf(one, "severity")), severity) +
             cell(show(memberOf(one, "code")) + " " + show(memberOf(one, "source"))) +
             cell("<pre>" + show(memberOf(one, "message")) + "</pre>" + lineOf(one)) + "</tr>";
    }
    out += "</table>";
    if (seen.diagnostics.size() == kShownDiagnostics) {
      out += "<p class=\"quiet\">no more than " + std::to_string(kShownDiagnostics) + " are shown</p>";
    }
  }
  if (!seen.pictures.empty()) {
    out += "<h2>NZ tensors</h2><div id=\"pictures\">" + pictureSvg(seen.pictures) + "</div>";
  }
  return out + stepTable(seen) + "</body></html>\n";
}

} // namespace placid::server
