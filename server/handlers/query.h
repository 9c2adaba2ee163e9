// SPDX-License-Identifier: Apache-2.0
// What the queries of editors share: the document's index and inspection, made once for each text, and the way from
// byte ranges to the protocol's. Knows no method. Compile thread.
#pragma once

#include "server/handlers/handlers.h"

#include <stop_token>

namespace placid::server {

const index::Index &indexOf(const Snapshot &snapshot);
const index::Index &indexOf(const Snapshot &snapshot, const OpenDocument &document);

/// The inspection of the document, diagnostics included, or the error that answers a cancelled request.
Result<const compiler::InspectResult *> inspectionOf(const Snapshot &snapshot, const std::stop_token &stop);

uint32_t offsetOf(const source::SourceText &text, lsp::Position position);
lsp::Range rangeOf(const source::SourceText &text, source::ByteRange range);

/// The narrowest thing at `offset`; a cursor behind the last letter counts. Null when there is none.
const index::Occurrence *occurrenceAt(const index::Index &index, uint32_t offset);
const index::Member *memberAt(const index::Index &index, uint32_t offset);

/// `pl.tile.load` from `pypto.language.tile.load`; empty when the path leads out of PL.
std::string plPath(const std::string &path);
/// A path as programs write it: `pl.load` for `pro.load` of the second dialect, `vf.add` for `pro.Vf.add`.
std::string shownPath(const std::string &path);
/// The row of an operation, or null.
const index::OpInfo *findOp(const std::vector<index::OpInfo> &ops, const std::string &path);

/// `P.kern`: a symbol's name behind those of the classes around it.
std::string qualifiedName(const index::Index &index, uint32_t symbol);

} // namespace placid::server
