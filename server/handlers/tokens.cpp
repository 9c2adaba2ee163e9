// SPDX-License-Identifier: Apache-2.0
// Semantic tokens, whole and as a delta: what a name stands for, where a grammar sees only a name. From syntax alone,
// so that colours stay while the text is broken. Compile thread.
#include "protocol/lsp/features_codec.h"
#include "server/handlers/position_walk.h"
#include "server/handlers/query.h"

#include <algorithm>

namespace placid::server {

namespace {

using lsp::TokenType;

struct Token {
  source::ByteRange range;
  TokenType type;
  uint32_t modifiers;
};

TokenType typeOf(index::SymbolKind kind) {
  switch (kind) {
  case index::SymbolKind::Import:
    return TokenType::Namespace;
  case index::SymbolKind::Class:
  case index::SymbolKind::Program:
    return TokenType::Class;
  case index::SymbolKind::Function:
  case index::SymbolKind::Kernel:
    return TokenType::Function;
  case index::SymbolKind::Parameter:
    return TokenType::Parameter;
  case index::SymbolKind::Constant:
  case index::SymbolKind::Variable:
    return TokenType::Variable;
  }
  return TokenType::Variable;
}

std::vector<Token> tokensOf(const index::Index &index, const std::vector<index::OpInfo> &ops) {
  std::vector<Token> out;
  for (const index::Occurrence &occurrence : index.occurrences) {
    const index::Symbol &symbol = index.symbols[occurrence.symbol];
    uint32_t modifiers = occurrence.range == symbol.nameRange ? lsp::kDeclaration : 0;
    modifiers |= symbol.kind == index::SymbolKind::Constant ? lsp::kReadonly : 0;
    // `from m import f` may bind anything; only a bound module is a namespace.
    bool value =
        symbol.kind == index::SymbolKind::Import && !symbol.member.empty() && plPath(symbol.module + ".x").empty();
    out.push_back({occurrence.range, value ? TokenType::Variable : typeOf(symbol.kind), modifiers});
  }
  for (const index::Member &member : index.members) {
    std::string path = plPath(member.path);
    if (path.empty()) {
      continue;
    }
    const index::OpInfo *op = findOp(ops, path);
    if (op && !op->signatures.empty()) {
      out.push_back({member.range, TokenType::Function, lsp::kDefaultLibrary});
    } else if (op) {
      out.push_back({member.range, TokenType::EnumMember, lsp::kDefaultLibrary | lsp::kReadonly});
    } else {
      out.push_back({member.range, TokenType::Property, lsp::kDefaultLibrary});
    }
  }
  std::sort(out.begin(), out.end(), [](const Token &a, const Token &b) { return a.range < b.range; });
  return out;
}

/// Ends early when it is asked to stop.
std::vector<uint32_t> encode(const std::vector<Token> &tokens, const source::SourceText &text,
                             const std::stop_token &stop) {
  PositionWalk walk(text);
  std::vector<uint32_t> out;
  lsp::Position last;
  uint32_t end = 0;
  for (const Token &token : tokens) {
    if (stop.stop_requested()) {
      break;
    }
    lsp::Range range = walk.range(token.range);
    if (token.range.begin < end || range.start.line != range.end.line) {
      continue; // clients take neither overlaps nor tokens of several lines
    }
    bool sameLine = range.start.line == last.line;
    out.push_back(range.start.line - last.line);
    out.push_back(sameLine ? range.start.character - last.character : range.start.character);
    out.push_back(range.end.character - range.start.character);
    out.push_back(static_cast<uint32_t>(token.type));
    out.push_back(token.modifiers);
    last = range.start;
    end = token.range.end;
  }
  return out;
}

protocol::RpcError cancelled() { return {protocol::ErrorCode::RequestCancelled, "cancelled"}; }

void remember(TokensMemo &memo, std::vector<uint32_t> data) {
  memo.resultId = std::to_string(++memo.lastId);
  memo.data = std::move(data);
}

} // namespace

Result<lsp::SemanticTokens> handleSemanticTokens(const Snapshot &snapshot, const lsp::DocumentParams &,
                                                 const std::stop_token &stop) {
  std::vector<uint32_t> now = encode(tokensOf(indexOf(snapshot), snapshot.compiler->ops()), *snapshot.text, stop);
  if (stop.stop_requested()) {
    return cancelled();
  }
  remember(*snapshot.tokens, std::move(now));
  return lsp::SemanticTokens{snapshot.tokens->resultId, snapshot.tokens->data};
}

Result<lsp::SemanticTokensDelta> handleSemanticTokensDelta(const Snapshot &snapshot,
                                                           const lsp::PreviousResultParams &params,
                                                           const std::stop_token &stop) {
  std::vector<uint32_t> now = encode(tokensOf(indexOf(snapshot), snapshot.compiler->ops()), *snapshot.text, stop);
  if (stop.stop_requested()) {
    return cancelled();
  }
  std::vector<uint32_t> before = snapshot.tokens->data;
  bool known = !params.previousResultId.empty() && params.previousResultId == snapshot.tokens->resultId;
  remember(*snapshot.tokens, now);
  lsp::SemanticTokensDelta out;
  out.resultId = snapshot.tokens->resultId;
  if (!known) {
    out.whole = std::move(now);
    return out;
  }
  // One edit: what both share at the front and at the back stays.
  size_t shared = std::min(before.size(), now.size());
  size_t front = 0;
  while (front < shared && before[front] == now[front]) {
    ++front;
  }
  size_t back = 0;
  while (back < shared - front && before[before.size() - 1 - back] == now[now.size() - 1 - back]) {
    ++back;
  }
  out.start = static_cast<uint32_t>(front);
  out.deleteCount = static_cast<uint32_t>(before.size() - front - back);
  out.data.assign(now.begin() + static_cast<std::ptrdiff_t>(front), now.end() - static_cast<std::ptrdiff_t>(back));
  return out;
}

} // namespace placid::server
