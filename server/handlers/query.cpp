// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/query.h"

#include <algorithm>

namespace placid::server {

namespace {

/// Nothing is known, which may be the machine's fault: it is asked for anew. A text without any name costs little.
bool isLost(const index::Index &index) { return !index.whole && index.symbols.empty() && index.occurrences.empty(); }

const index::Index &indexIn(InspectMemo &memo, const source::SourcePtr &text, compiler::CompilerService &compiler) {
  MutexLock lock(memo.indexing);
  if (memo.indexes.empty() || isLost(memo.indexes.back())) {
    memo.indexes.push_back(compiler.index(text));
  }
  return memo.indexes.back();
}

bool isLost(const compiler::InspectResult &result) {
  const std::vector<diag::Diagnostic> &said = result.check.diagnostics;
  return std::any_of(said.begin(), said.end(),
                     [](const diag::Diagnostic &one) { return one.code == diag::InternalError.code; });
}

/// Of ranges in order, one that holds the offset; the one that begins last wins at a border.
template <class T> const T *at(const std::vector<T> &ranges, uint32_t offset) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), offset,
                                [](uint32_t value, const T &one) { return value < one.range.begin; });
  if (after == ranges.begin()) {
    return nullptr;
  }
  const T &candidate = *std::prev(after);
  return offset <= candidate.range.end ? &candidate : nullptr;
}

} // namespace

const index::Index &indexOf(const Snapshot &snapshot) {
  return indexIn(*snapshot.memo, snapshot.text, *snapshot.compiler);
}

const index::Index &indexOf(const Snapshot &snapshot, const OpenDocument &document) {
  return indexIn(*document.memo, document.text, *snapshot.compiler);
}

Result<const compiler::InspectResult *> inspectionOf(const Snapshot &snapshot, const std::stop_token &stop) {
  InspectMemo &memo = *snapshot.memo;
  std::optional<compiler::InspectResult> &known = memo.result;
  // Files change without a word to editors that watch none.
  if (known && (isLost(*known) || !memo.asked->holds(snapshot.options.sources.get()))) {
    known.reset();
  }
  if (!known) {
    compiler::Options options = snapshot.options;
    memo.asked->clear();
    if (options.sources) {
      options.sources = std::make_shared<RecordedSources>(options.sources, memo.asked);
    }
    compiler::InspectResult fresh = snapshot.compiler->inspect(snapshot.text, options, stop);
    if (fresh.check.stopped) {
      return protocol::RpcError{protocol::ErrorCode::RequestCancelled, "cancelled"};
    }
    known = std::move(fresh);
  }
  return &*known;
}

uint32_t offsetOf(const source::SourceText &text, lsp::Position position) {
  return text.lines.offset(text.text, {position.line, position.character});
}

lsp::Range rangeOf(const source::SourceText &text, source::ByteRange range) { return toLsp(text.range(range)); }

const index::Occurrence *occurrenceAt(const index::Index &index, uint32_t offset) {
  return at(index.occurrences, offset);
}

const index::Member *memberAt(const index::Index &index, uint32_t offset) { return at(index.members, offset); }

std::string plPath(const std::string &path) {
  constexpr std::string_view kDistributed = "pypto.language.distributed.";
  constexpr std::string_view kLanguage = "pypto.language.";
  if (path.starts_with(kDistributed)) {
    return "pld." + path.substr(kDistributed.size());
  }
  constexpr std::string_view kSecond = "pypto_pro.language.";
  if (path.starts_with(kSecond)) {
    return "pro." + path.substr(kSecond.size());
  }
  return path.starts_with(kLanguage) ? "pl." + path.substr(kLanguage.size()) : std::string();
}

std::string shownPath(const std::string &path) {
  constexpr std::string_view kVf = "pro.Vf.";
  constexpr std::string_view kSecond = "pro.";
  if (path.starts_with(kVf)) {
    return "vf." + path.substr(kVf.size());
  }
  return path.starts_with(kSecond) ? "pl." + path.substr(kSecond.size()) : path;
}

const index::OpInfo *findOp(const std::vector<index::OpInfo> &ops, const std::string &path) {
  auto found = std::lower_bound(ops.begin(), ops.end(), path,
                                [](const index::OpInfo &op, const std::string &wanted) { return op.path < wanted; });
  return found != ops.end() && found->path == path ? &*found : nullptr;
}

std::string qualifiedName(const index::Index &index, uint32_t symbol) {
  std::string out = index.symbols[symbol].name;
  for (uint32_t at = index.symbols[symbol].parent; at != index::kNone; at = index.symbols[at].parent) {
    out = index.symbols[at].name + "." + out;
  }
  return out;
}

} // namespace placid::server
