// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/unit_memo.h"

#include <algorithm>
#include <charconv>

namespace placid::compiler {

namespace {

/// Of one kernel: what typing and undoing go back and forth between.
constexpr size_t kMaxVersions = 8;
constexpr size_t kEntryBytes = 512; ///< About what an entry takes besides its texts.

/// Calls `visit` with every location of the diagnostics that says a place.
template <class Diagnostics, class Visit> void visitLocations(Diagnostics &diagnostics, Visit visit) {
  auto at = [&](auto &location) {
    if (location.range != source::ByteRange{}) {
      visit(location);
    }
  };
  for (auto &d : diagnostics) {
    at(d.at);
    if (d.annotation) {
      at(*d.annotation);
    }
    for (auto &related : d.related) {
      at(related.at);
    }
    for (auto &fix : d.fixes) {
      for (auto &edit : fix.edits) {
        at(edit.at);
      }
    }
  }
}

bool within(source::ByteRange range, source::ByteRange whole) {
  return range.begin >= whole.begin && range.end <= whole.end;
}

/// Calls `visit` with every range of the reports.
template <class Result, class Visit> void visitReports(Result &result, Visit visit) {
  for (auto &tensor : result.inspect.tensors) {
    visit(tensor.annotation);
  }
  for (auto &access : result.inspect.accesses) {
    visit(access.range);
  }
  for (auto &value : result.inspect.values) {
    visit(value.range);
  }
  for (auto &plan : result.inspect.tiles) {
    visit(plan.range);
  }
  for (auto &chunks : result.inspect.chunks) {
    visit(chunks.range);
  }
  for (auto &lowered : result.lowered) {
    for (auto &plan : lowered.tiles) {
      visit(plan.range);
    }
  }
}

/// The lines of `loc("file":line:column)` in PTO text, moved; false when one is not of `path` or not within the lines
/// from `first` to `last`.
bool moveLines(std::string &text, const std::string &path, uint32_t first, uint32_t last, int64_t by) {
  constexpr std::string_view kOpen = " loc(\"";
  std::string out;
  size_t copied = 0;
  for (size_t at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, at)) {
    at += kOpen.size();
    if (text.compare(at, path.size(), path) != 0 || text.compare(at + path.size(), 2, "\":") != 0) {
      return false;
    }
    at += path.size() + 2;
    uint32_t line = 0;
    auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), line);
    if (error != std::errc() || line < first || line > last) {
      return false;
    }
    out.append(text, copied, at - copied);
    out += std::to_string(static_cast<int64_t>(line) + by);
    copied = static_cast<size_t>(end - text.data());
    at = copied;
  }
  out.append(text, copied, std::string::npos);
  text = std::move(out);
  return true;
}

size_t sizeOf(const UnitResult &result) {
  size_t out = kEntryBytes;
  for (const diag::Diagnostic &d : result.diagnostics) {
    out += sizeof d + d.message.size() + d.related.size() * 256 + d.fixes.size() * 256;
  }
  out += (result.inspect.tensors.size() + result.inspect.accesses.size() + result.inspect.values.size()) * 512;
  out += (result.inspect.tiles.size() + result.inspect.chunks.size() + result.inspect.memory.size()) * 256;
  for (const LoweredKernel &kernel : result.lowered) {
    out += sizeof kernel + kernel.pto.size() + kernel.arguments.size() * 256;
  }
  return out;
}

/// From 1.
uint32_t lineOf(const frontend::KernelReads &reads, const frontend::Program &program, uint32_t offset) {
  return program.module->source->lines.lineColumn(std::min(offset, reads.range.end)).line + 1;
}

} // namespace

UnitMemo::Asked UnitMemo::ask(const frontend::Program &program, frontend::KernelReader &reader,
                              const frontend::KernelDecl &kernel, frontend::CallTypes &calls, const std::string &arch,
                              const UnitRequest &request) {
  Asked out{&program, &reader, nullptr, &calls, {}, ""};
  std::string name = reader.keyOf(kernel);
  if (request.dumpIr || name.empty() || kernel.module != program.module.get()) {
    return out;
  }
  out.reads = &reader.read(kernel);
  out.types = calls.texts(kernel); // an alias may hide that a parameter is bare
  if (out.reads->known) {
    out.key = name + "\n" + arch + (request.depth == Depth::Check ? "\ncheck" : "\nlower") + " " +
              std::string(target::plannerName(request.planner)) + (request.report ? " report" : "");
    for (const std::string &type : out.types) { // versions count for each: the calls of a file may give it many
      out.key += "\n" + type;
    }
  }
  return out;
}

bool UnitMemo::holds(const Entry &entry, const Asked &asked) const {
  const frontend::KernelReads &now = *asked.reads;
  const frontend::KernelReads &then = entry.reads;
  auto known = [&](const auto &call) { return asked.reader->find(call.first) != nullptr; };
  if (then.meaning != now.meaning || entry.types != asked.types ||
      !std::all_of(entry.calls.begin(), entry.calls.end(), known) || (entry.places && then.text != now.text) ||
      (!entry.result.diagnostics.empty() && then.around != now.around)) {
    return false;
  }
  auto stands = [&](const frontend::Anchor &anchor) { return asked.reader->placeOf(anchor).has_value(); };
  if (!std::all_of(entry.outside.begin(), entry.outside.end(), stands)) {
    return false;
  }
  return std::all_of(entry.bodies.begin(), entry.bodies.end(), [&](const auto &body) {
    const frontend::KernelDecl *callee = asked.reader->find(body.first);
    const frontend::KernelReads *reads = callee ? &asked.reader->read(*callee) : nullptr;
    return reads && reads->known && reads->meaning == body.second;
  });
}

std::optional<UnitResult> UnitMemo::find(const Asked &asked) {
  auto known = asked.key.empty() ? entries_.end() : entries_.find(asked.key);
  if (known == entries_.end()) {
    return std::nullopt;
  }
  for (Entry &entry : known->second) {
    if (!holds(entry, asked)) {
      continue;
    }
    entry.used = ++clock_;
    frontend::takeFromBudget(*asked.program, entry.use);
    for (const auto &[callee, types] : entry.calls) {
      asked.calls->record({asked.reader->find(callee), types});
    }
    UnitResult out = entry.result;
    int64_t by = static_cast<int64_t>(asked.reads->range.begin) - static_cast<int64_t>(entry.reads.range.begin);
    const std::string &path = asked.program->path();
    auto move = [&](source::ByteRange &range) {
      if (range != source::ByteRange{}) {
        range = {static_cast<uint32_t>(range.begin + by), static_cast<uint32_t>(range.end + by)};
      }
    };
    visitReports(out, move);
    size_t outside = 0;
    visitLocations(out.diagnostics, [&](diag::Location &at) {
      if (at.path == path && within(at.range, entry.reads.range)) {
        move(at.range);
      } else {
        at.range = *asked.reader->placeOf(entry.outside[outside++]);
      }
    });
    uint32_t firstLine = lineOf(*asked.reads, *asked.program, asked.reads->range.begin);
    int64_t lines = static_cast<int64_t>(firstLine) - static_cast<int64_t>(entry.firstLine);
    for (LoweredKernel &lowered : out.lowered) {
      moveLines(lowered.pto, path, 0, UINT32_MAX, lines);
    }
    return out;
  }
  return std::nullopt;
}

void UnitMemo::keep(const Asked &asked, const frontend::EvaluationUse &before, const UnitResult &result) {
  std::vector<frontend::CallTypes::Call> calls;
  bool exact = asked.calls->takeCalls(calls);
  frontend::EvaluationUse after = frontend::evaluationUse(*asked.program);
  if (after.changes != before.changes) {
    if (asked.reader) {
      asked.reader->forget(); // `asked.reads` is gone with it
    }
    return;
  }
  if (asked.key.empty()) {
    return;
  }
  Entry entry;
  entry.reads = *asked.reads;
  entry.reads.callees.clear();
  const std::string &path = asked.program->path();
  const source::ByteRange whole = asked.reads->range;
  bool inside = true;
  visitReports(result, [&](const source::ByteRange &range) {
    if (range != source::ByteRange{}) {
      entry.places = true;
      inside = inside && within(range, whole);
    }
  });
  bool anchored = true;
  visitLocations(result.diagnostics, [&](const diag::Location &at) {
    if (at.path == path && within(at.range, whole)) {
      entry.places = true;
      return;
    }
    std::optional<frontend::Anchor> anchor = asked.reader->anchorOf(at.path, at.range);
    anchored = anchored && anchor;
    entry.outside.push_back(std::move(anchor).value_or(frontend::Anchor{}));
  });
  entry.firstLine = lineOf(entry.reads, *asked.program, whole.begin);
  uint32_t lastLine = lineOf(entry.reads, *asked.program, whole.end);
  for (const LoweredKernel &lowered : result.lowered) {
    std::string copy = lowered.pto;
    entry.places = true;
    inside = inside && moveLines(copy, path, entry.firstLine, lastLine, 0);
  }
  // Reports do not say whose text their places are in.
  bool foreign = entry.places && asked.reads->pastes &&
                 (!result.inspect.values.empty() || !result.lowered.empty() || !result.inspect.accesses.empty());
  bool internal = std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                              [](const diag::Diagnostic &d) { return d.code == diag::InternalError.code; });
  if (!anchored || !inside || foreign || internal || !exact) {
    return;
  }
  for (frontend::CallTypes::Call &call : calls) {
    entry.calls.emplace_back(asked.reader->keyOf(*call.callee), std::move(call.arguments));
    if (entry.calls.back().first.empty()) {
      return;
    }
  }
  entry.types = asked.types;
  for (const frontend::KernelDecl *callee : result.bodiesRead) {
    std::string key = asked.reader->keyOf(*callee);
    const frontend::KernelReads &reads = asked.reader->read(*callee);
    if (key.empty() || !reads.known) {
      return;
    }
    entry.bodies.emplace_back(std::move(key), reads.meaning);
  }
  entry.use = {after.steps - before.steps, after.bytes - before.bytes, 0};
  entry.result = result;
  entry.result.bodiesRead.clear();
  entry.bytes =
      sizeOf(result) + asked.key.size() + (entry.bodies.size() + entry.calls.size() + entry.outside.size()) * 256;
  entry.used = ++clock_;
  std::vector<Entry> &versions = entries_[asked.key];
  if (versions.size() >= kMaxVersions) {
    auto oldest = std::min_element(versions.begin(), versions.end(),
                                   [](const Entry &a, const Entry &b) { return a.used < b.used; });
    bytes_ -= oldest->bytes;
    versions.erase(oldest);
  }
  bytes_ += entry.bytes;
  versions.push_back(std::move(entry));
  makeRoom();
}

void UnitMemo::makeRoom() {
  if (bytes_ <= maxBytes_) {
    return;
  }
  // Down to half, the longest unused first: then it need not be done soon again.
  std::vector<uint64_t> uses;
  for (const auto &[key, versions] : entries_) {
    for (const Entry &entry : versions) {
      uses.push_back(entry.used);
    }
  }
  std::sort(uses.begin(), uses.end());
  for (size_t dropped = 0; dropped < uses.size() && bytes_ > maxBytes_ / 2;) {
    size_t upTo = std::min(uses.size() - 1, dropped + std::max<size_t>(1, uses.size() / 8));
    for (auto at = entries_.begin(); at != entries_.end();) {
      std::erase_if(at->second, [&](const Entry &entry) {
        bool old = entry.used <= uses[upTo];
        bytes_ -= old ? entry.bytes : 0;
        return old;
      });
      at = at->second.empty() ? entries_.erase(at) : std::next(at);
    }
    dropped = upTo + 1;
  }
}

} // namespace placid::compiler
