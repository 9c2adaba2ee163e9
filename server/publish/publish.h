// SPDX-License-Identifier: Apache-2.0
// Compiler diagnostics -> the list an editor is sent: byte ranges become UTF-16 ranges here and nowhere else in the
// server, related places and documentation links are attached, and each NZ annotation whose uses were refused gets a
// summary that links to them. Pure; any thread.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "protocol/lsp/types.h"

#include <string>
#include <vector>

namespace placid::server {

lsp::Range toLsp(const source::Range &range);

/// Where a code's page can be read.
struct DocLinks {
  std::string pageFolder; ///< Absolute path of a folder with PLnnnn.md files; empty when none is installed.
  /// `file:` URI of the page, else `placid:explain/PLnnnn`.
  std::string href(diag::Code code) const;
};

struct PublishOptions {
  bool relatedInformation = true; ///< Without it related places become lines of the message.
  bool codeDescription = true;
  DocLinks links;
  bool tags = true;
};

/// The document that is published: its text and the URI to name it by.
struct PublishedDocument {
  source::SourcePtr text;
  std::string uri;
};

/// Ranges in other files cannot be converted without their text: such a related place is told in the message, and a
/// diagnostic of another file stands at the start of this one with that file's name.
std::vector<lsp::Diagnostic> toLsp(const std::vector<diag::Diagnostic> &diagnostics, const PublishedDocument &document,
                                   const PublishOptions &options);

} // namespace placid::server
