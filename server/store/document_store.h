// SPDX-License-Identifier: Apache-2.0
// The open documents of one session: their text, the client's version and spelling of the URI, and edits applied in the
// order they arrive. An edit that does not fit drops the text instead of guessing, until a full text comes. Knows
// nothing of JSON, and of the scheduler only that it numbers documents. Io thread only.
#pragma once

#include "compiler/source/text.h"
#include "protocol/lsp/types.h"
#include "server/scheduler/scheduler.h"
#include "server/store/recorded_sources.h"
#include "server/support/sync.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

/// What was learnt about one text and is worth keeping while it stands. Touched by one compile thread at a time, but
/// for `asked` and what has a lock.
struct InspectMemo {
  std::optional<compiler::InspectResult> result;
  Mutex indexing;                                               ///< Held while one is made, so that it is made once.
  std::deque<index::Index> indexes PLACID_GUARDED_BY(indexing); ///< The last one counts; others may still be read.
  const std::shared_ptr<SourceLog> asked = std::make_shared<SourceLog>(); ///< While `result` was made. Any thread.
};

/// The semantic tokens that a client was sent last, for the next delta. Outlives texts; compile thread alone.
struct TokensMemo {
  std::string resultId;
  std::vector<uint32_t> data;
  uint64_t lastId = 0;
};

struct Document {
  DocumentId id{};
  std::string uri; ///< As the client spelled it at didOpen.
  std::optional<int64_t> version;
  source::SourcePtr text; ///< Null after an edit that did not fit.
  std::string file;       ///< Its path without links; empty when there was no file when it was opened.
  std::shared_ptr<InspectMemo> memo;
  std::vector<std::string> modules; ///< Paths that the last check asked for, found or not; sorted.
  std::shared_ptr<TokensMemo> tokens = std::make_shared<TokensMemo>();
};

/// Applies `changes` to `text`; nothing when a range is reversed or begins beyond the line after the last one. A
/// character beyond its line's end means the line's end; what ends beyond the last line ends with the text. `lines`: of
/// `text`, if they are known.
std::optional<std::string> applyChanges(std::string text, const std::vector<lsp::ContentChange> &changes,
                                        const source::LineIndex *lines = nullptr);

class DocumentStore {
public:
  /// Opening an open document replaces its text and keeps its id.
  Document &open(const lsp::DidOpenParams &params, Scheduler &scheduler);
  /// Null when the document is not open. Afterwards `text` may be null: the edit did not fit.
  Document *change(const lsp::DidChangeParams &params);
  /// The client's text is not known any more. The document as it was; nothing when it had no text.
  std::optional<Document> lose(std::string_view uri);
  /// Takes `text` for the document's, as after a save. Null when the document is not open.
  Document *replace(std::string_view uri, std::string text);
  /// The closed document, or nothing when it was not open.
  std::optional<Document> close(std::string_view uri);

  Document *find(std::string_view uri);
  /// The other documents whose last check or inspection asked for this one's file, found or not, in key order.
  std::vector<Document *> dependents(const Document &module);
  /// Texts by path, for imports between open documents.
  std::map<std::string, source::SourcePtr> texts() const;
  /// Drops what was learnt about every text but that of `except`.
  void forgetLearnt(DocumentId except);
  /// Those that have a text, in key order.
  std::vector<const Document *> all() const;
  /// All documents leave, in key order.
  std::vector<Document> clear();

private:
  void setText(Document &document, std::string text);

  std::map<std::string, Document> documents_; ///< By lsp::documentKey.
};

} // namespace placid::server
