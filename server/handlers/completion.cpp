// SPDX-License-Identifier: Apache-2.0
// textDocument/completion and textDocument/signatureHelp. Both read the text around the cursor word by word, because at
// that moment it hardly ever parses; names come from the index, operations from the compiler's table. Compile thread.
#include "server/handlers/cursor_context.h"
#include "server/handlers/query.h"

#include <algorithm>
#include <set>

namespace placid::server {

namespace {

/// `pl.load` from `language.load` where `import pypto.language as language` says so; a chain that is none of PL is
/// empty.
std::string plChain(const index::Index &index, const std::string &chain) {
  size_t dot = chain.find('.');
  std::string root = chain.substr(0, dot);
  std::string rest = dot == std::string::npos ? "" : chain.substr(dot);
  for (const index::Symbol &symbol : index.symbols) {
    if (symbol.kind == index::SymbolKind::Import && symbol.name == root) {
      std::string path = symbol.module + (symbol.member.empty() ? "" : "." + symbol.member) + rest;
      return path == "pypto.language"               ? "pl"
             : path == "pypto.language.distributed" ? "pld"
             : path == "pypto_pro.language"         ? "pro"
                                                    : plPath(path);
    }
  }
  // In vector functions of the second dialect `vf` is there without an import.
  auto second = [](const index::Symbol &symbol) {
    return symbol.kind == index::SymbolKind::Import && symbol.module == "pypto_pro.language";
  };
  bool reserved = root == "vf" && std::any_of(index.symbols.begin(), index.symbols.end(), second);
  return reserved ? "pro.Vf" + rest : std::string();
}

std::vector<std::string> split(const std::string &parameters) {
  std::vector<std::string> out;
  for (size_t at = 0; at < parameters.size();) {
    size_t comma = std::min(parameters.find(", ", at), parameters.size());
    out.push_back(parameters.substr(at, comma - at));
    at = comma + 2;
  }
  return out;
}

/// `valid_shape` of `valid_shape?`.
std::string bare(std::string parameter) {
  if (parameter.ends_with('?')) {
    parameter.pop_back();
  }
  return parameter;
}

lsp::CompletionKind kindOf(index::SymbolKind kind) {
  switch (kind) {
  case index::SymbolKind::Import:
    return lsp::CompletionKind::Module;
  case index::SymbolKind::Class:
  case index::SymbolKind::Program:
    return lsp::CompletionKind::Class;
  case index::SymbolKind::Function:
  case index::SymbolKind::Kernel:
    return lsp::CompletionKind::Function;
  case index::SymbolKind::Constant:
    return lsp::CompletionKind::Constant;
  case index::SymbolKind::Parameter:
  case index::SymbolKind::Variable:
    return lsp::CompletionKind::Variable;
  }
  return lsp::CompletionKind::Variable;
}

/// What can follow `prefix` and a dot: operations, constants, and namespaces of both.
void addMembers(const std::vector<index::OpInfo> &ops, const std::string &prefix, lsp::CompletionList &out) {
  std::set<std::string> namespaces;
  for (const index::OpInfo &op : ops) {
    if (!op.path.starts_with(prefix + ".")) {
      continue;
    }
    std::string rest = op.path.substr(prefix.size() + 1);
    size_t dot = rest.find('.');
    if (dot != std::string::npos) {
      namespaces.insert(rest.substr(0, dot));
      continue;
    }
    lsp::CompletionItem item;
    item.label = rest;
    item.kind = op.signatures.empty() ? lsp::CompletionKind::EnumMember : lsp::CompletionKind::Function;
    item.detail = op.signatures.empty() ? "" : "(" + op.signatures[0] + ")";
    item.documentation = op.documentation;
    item.sortText = (op.modelled ? "0" : "1") + rest; // what placid follows comes first
    out.items.push_back(std::move(item));
  }
  for (const std::string &name : namespaces) {
    out.items.push_back({name, lsp::CompletionKind::Module, "", "", "2" + name});
  }
}

/// Whether the cursor stands in the function or class, or behind what still parses as it in lines that are indented as
/// its body.
bool insideBlock(const source::SourceText &text, const index::Symbol &function, uint32_t offset) {
  if (offset < function.range.begin || offset <= function.range.end) {
    return offset >= function.range.begin;
  }
  auto indentation = [&](uint32_t line) {
    std::string_view words = text.lines.line(text.text, line);
    size_t width = words.find_first_not_of(" \t");
    return width == std::string_view::npos ? words.size() : width;
  };
  uint32_t cursorLine = text.lines.lineColumn(offset).line;
  size_t own = indentation(text.lines.lineColumn(function.nameRange.begin).line);
  for (uint32_t line = text.lines.lineColumn(function.range.end).line + 1; line <= cursorLine; ++line) {
    bool blank = text.lines.line(text.text, line).find_first_not_of(" \t") == std::string_view::npos;
    if (indentation(line) <= own && !(blank && line != cursorLine)) {
      return false;
    }
  }
  return true;
}

/// Names that the cursor sees: those of the functions around it, then of the module.
void addNames(const source::SourceText &text, const index::Index &index, uint32_t offset, lsp::CompletionList &out) {
  std::set<std::string> seen;
  for (size_t id = index.symbols.size(); id-- > 0;) {
    const index::Symbol &symbol = index.symbols[id];
    bool visible = symbol.parent == index::kNone;
    if (!visible) {
      const index::Symbol &parent = index.symbols[symbol.parent];
      bool function = parent.kind == index::SymbolKind::Function || parent.kind == index::SymbolKind::Kernel;
      visible = function && insideBlock(text, parent, offset);
    }
    if (visible && seen.insert(symbol.name).second) {
      out.items.push_back({symbol.name, kindOf(symbol.kind), symbol.detail, symbol.documentation,
                           (symbol.parent == index::kNone ? "2" : "1") + symbol.name});
    }
  }
}

/// What the class around the cursor has, behind `self.`.
void addOwnMembers(const source::SourceText &text, const index::Index &index, uint32_t offset,
                   lsp::CompletionList &out) {
  uint32_t around = index::kNone;
  for (uint32_t id = 0; id < index.symbols.size(); ++id) {
    const index::Symbol &symbol = index.symbols[id];
    bool isClass = symbol.kind == index::SymbolKind::Class || symbol.kind == index::SymbolKind::Program;
    around = isClass && insideBlock(text, symbol, offset) ? id : around;
  }
  for (const index::Symbol &symbol : index.symbols) {
    if (around != index::kNone && symbol.parent == around) {
      out.items.push_back({symbol.name, kindOf(symbol.kind), symbol.detail, symbol.documentation, "0" + symbol.name});
    }
  }
}

struct Signatures {
  std::vector<lsp::Signature> list;
};

Signatures signaturesOf(const Snapshot &snapshot, const std::string &callee) {
  Signatures out;
  const index::Index &index = indexOf(snapshot);
  std::string path = plChain(index, callee);
  if (!path.empty()) {
    std::vector<index::OpInfo> ops = snapshot.compiler->ops();
    if (const index::OpInfo *op = findOp(ops, path)) {
      for (const std::string &parameters : op->signatures) {
        out.list.push_back({shownPath(path) + "(" + parameters + ")", op->documentation, split(parameters)});
      }
    }
    return out;
  }
  std::string name = callee.substr(callee.rfind('.') == std::string::npos ? 0 : callee.rfind('.') + 1);
  for (uint32_t id = 0; id < index.symbols.size(); ++id) {
    const index::Symbol &symbol = index.symbols[id];
    bool function = symbol.kind == index::SymbolKind::Function || symbol.kind == index::SymbolKind::Kernel;
    if (!function || symbol.name != name) {
      continue;
    }
    lsp::Signature one{name + symbol.detail, symbol.documentation, {}};
    for (const index::Symbol &parameter : index.symbols) {
      if (parameter.parent == id && parameter.kind == index::SymbolKind::Parameter && parameter.name != "self") {
        one.parameters.push_back(parameter.name + parameter.detail);
      }
    }
    out.list.push_back(std::move(one));
    break;
  }
  return out;
}

/// The names of the call's arguments, but for those that are given.
void addArguments(const Snapshot &snapshot, const CursorContext &context, lsp::CompletionList &out) {
  const CallAround &call = *context.call;
  for (const lsp::Signature &signature : signaturesOf(snapshot, call.callee).list) {
    uint32_t bound = call.positional;
    for (const std::string &parameter : signature.parameters) {
      std::string name = bare(parameter.substr(0, parameter.find(':')));
      if (name.starts_with('*')) {
        continue;
      }
      bool given = std::find(call.given.begin(), call.given.end(), name) != call.given.end();
      if (bound > 0) {
        --bound;
      } else if (!given) {
        out.items.push_back({name + (context.named ? "" : "="), lsp::CompletionKind::Variable,
                             "argument of " + call.callee, "", "0" + name});
      }
    }
  }
}

} // namespace

Result<lsp::CompletionList> handleCompletion(const Snapshot &snapshot, const lsp::PositionParams &params,
                                             const std::stop_token &) {
  lsp::CompletionList out;
  uint32_t offset = offsetOf(*snapshot.text, params.position);
  CursorContext context = contextAt(snapshot.text->text, offset);
  const std::string &chain = context.chain;
  if (context.kind != CursorContext::Kind::Code) {
    return out;
  }
  const index::Index &index = indexOf(snapshot);
  size_t dot = chain.rfind('.');
  if (dot != std::string::npos) {
    std::string prefix = plChain(index, chain.substr(0, dot));
    if (!prefix.empty()) {
      addMembers(snapshot.compiler->ops(), prefix, out);
    } else if (chain.substr(0, dot) == "self") {
      addOwnMembers(*snapshot.text, index, offset, out);
    }
  } else {
    if (context.call && context.call->keyword.empty()) {
      addArguments(snapshot, context, out);
    }
    addNames(*snapshot.text, index, offset, out);
  }
  std::sort(out.items.begin(), out.items.end(), [](const lsp::CompletionItem &a, const lsp::CompletionItem &b) {
    return a.sortText != b.sortText ? a.sortText < b.sortText : a.label < b.label;
  });
  auto same = [](const lsp::CompletionItem &a, const lsp::CompletionItem &b) { return a.label == b.label; };
  out.items.erase(std::unique(out.items.begin(), out.items.end(), same), out.items.end());
  return out;
}

Result<std::optional<lsp::SignatureHelp>>
handleSignatureHelp(const Snapshot &snapshot, const lsp::PositionParams &params, const std::stop_token &) {
  std::optional<CallAround> call = contextAt(snapshot.text->text, offsetOf(*snapshot.text, params.position)).call;
  if (!call) {
    return std::optional<lsp::SignatureHelp>();
  }
  lsp::SignatureHelp out;
  out.signatures = signaturesOf(snapshot, call->callee).list;
  if (out.signatures.empty()) {
    return std::optional<lsp::SignatureHelp>();
  }
  auto activeIn = [&](const lsp::Signature &signature) -> std::optional<uint32_t> {
    uint32_t position = 0;
    for (uint32_t i = 0; i < signature.parameters.size(); ++i) {
      const std::string &parameter = signature.parameters[i];
      if (!call->keyword.empty() && bare(parameter.substr(0, parameter.find(':'))) == call->keyword) {
        return i;
      }
      if (parameter == "*") {
        ++position; // takes no argument: the ones behind it are named
      } else if (call->keyword.empty() && i - position == call->argument) {
        return i;
      }
    }
    return std::nullopt;
  };
  for (uint32_t i = 0; i < out.signatures.size(); ++i) {
    if (std::optional<uint32_t> active = activeIn(out.signatures[i])) {
      out.activeSignature = i;
      out.activeParameter = *active;
      return std::optional(std::move(out));
    }
  }
  out.activeParameter = static_cast<uint32_t>(out.signatures[0].parameters.size()); // beyond: none is marked
  return std::optional(std::move(out));
}

} // namespace placid::server
