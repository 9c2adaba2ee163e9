// SPDX-License-Identifier: Apache-2.0
#include "server/render/diagnostic_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace placid::server {

namespace {

using Ordered = nlohmann::ordered_json;

const Ordered *member(const Ordered &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() ? &*found : nullptr;
}

std::string textOf(const Ordered &json, const char *name) {
  const Ordered *value = member(json, name);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

uint32_t numberOf(const Ordered *json, const char *name) {
  const Ordered *value = json ? member(*json, name) : nullptr;
  uint64_t number = value && value->is_number_unsigned() ? value->get<uint64_t>() : 0;
  return static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX - 1));
}

diag::Location place(const Ordered &json, const TextLookup &lookup) {
  diag::Location out{textOf(json, "path"), {}};
  source::SourcePtr text = lookup(out.path);
  const Ordered *range = member(json, "range");
  if (!text || !range) {
    return out;
  }
  auto offset = [&](const char *name) {
    const Ordered *at = member(*range, name);
    return text->lines.offset(text->text, source::Position{numberOf(at, "line"), numberOf(at, "character")});
  };
  out.range.begin = offset("start");
  out.range.end = std::max(out.range.begin, offset("end"));
  return out;
}

template <class Add> void each(const Ordered &json, const char *name, const Add &add) {
  const Ordered *list = member(json, name);
  if (list && list->is_array()) {
    for (const Ordered &one : *list) {
      add(one);
    }
  }
}

std::optional<diag::Severity> severityOf(const std::string &name) {
  constexpr std::pair<const char *, diag::Severity> kNames[] = {{"error", diag::Severity::Error},
                                                                {"warning", diag::Severity::Warning},
                                                                {"information", diag::Severity::Information},
                                                                {"hint", diag::Severity::Hint}};
  for (const auto &[known, severity] : kNames) {
    if (name == known) {
      return severity;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<diag::Diagnostic> readDiagnostic(const Ordered &json, const TextLookup &lookup) {
  std::optional<diag::Code> code = diag::parseCodeName(textOf(json, "code"));
  std::optional<diag::Severity> severity = severityOf(textOf(json, "severity"));
  if (!code || !severity || !diag::find(*code)) {
    return std::nullopt;
  }
  diag::Diagnostic out;
  out.code = *code;
  out.severity = *severity;
  out.at = place(json, lookup);
  out.message = textOf(json, "message");
  out.kernel = textOf(json, "kernel");
  if (const Ordered *annotation = member(json, "annotation")) {
    out.annotation = place(*annotation, lookup);
  }
  each(json, "related", [&](const Ordered &one) {
    diag::Related related{place(one, lookup), textOf(one, "message"), diag::Related::Role::Note};
    if (out.annotation && related.at == *out.annotation) {
      related.role = diag::Related::Role::Annotation;
    }
    out.related.push_back(std::move(related));
  });
  each(json, "fixes", [&](const Ordered &one) {
    diag::Fix fix{textOf(one, "title"), {}};
    each(one, "edits",
         [&](const Ordered &edit) { fix.edits.push_back({place(edit, lookup), textOf(edit, "newText")}); });
    out.fixes.push_back(std::move(fix));
  });
  return out;
}

} // namespace placid::server
