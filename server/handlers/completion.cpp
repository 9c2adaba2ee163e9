// SPDX-License-Identifier: Apache-2.0
// textDocument/completion and textDocument/signatureHelp. Both read the text around the cursor word by word, because at
// that moment it hardly ever parses; names come from the index, operations from the compiler's table. Compile thread.
#include "server/handlers/query.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace placid::server {

namespace {

bool wordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & '\x80') != 0; }

/// The dotted name that ends at `end`: `pl.tile.lo`.
std::string dottedBefore(std::string_view text, size_t end) {
  size_t begin = end;
  while (begin > 0 && (wordChar(text[begin - 1]) || text[begin - 1] == '.')) {
    --begin;
  }
  return std::string(text.substr(begin, end - begin));
}

struct CallAround {
  std::string callee;    ///< `pl.load`.
  uint32_t argument = 0; ///< Commas before the cursor.
  std::string keyword;   ///< Of the argument under the cursor, when it is named.
};

/// The innermost call whose bracket is open at `cursor`. A string that spans the cursor's line start is not understood,
/// which costs a hint.
std::optional<CallAround> callAround(std::string_view text, size_t cursor) {
  constexpr size_t kMaxBack = 8192;
  size_t stop = cursor > kMaxBack ? cursor - kMaxBack : 0;
  CallAround out;
  int depth = 0;
  std::string argument; // what stands between the last comma and the cursor, from the back
  bool inFirst = true;
  for (size_t at = cursor; at > stop; --at) {
    char c = text[at - 1];
    if (c == '"' || c == '\'') {
      size_t open = at >= 2 ? text.rfind(c, at - 2) : std::string_view::npos;
      if (open == std::string_view::npos || open < stop) {
        return std::nullopt;
      }
      at = open + 1;
      continue;
    }
    if (c == ')' || c == ']' || c == '}') {
      ++depth;
    } else if (c == '(' || c == '[' || c == '{') {
      if (depth > 0) {
        --depth;
        continue;
      }
      std::string callee = c == '(' ? dottedBefore(text, at - 1) : std::string();
      if (!callee.empty()) {
        out.callee = std::move(callee);
        size_t first = argument.find_last_not_of(" \t\r\n");
        std::string forward(argument.rbegin(), argument.rend());
        size_t equals = forward.find('=');
        if (first != std::string::npos && equals != std::string::npos && forward.compare(equals, 2, "==") != 0) {
          size_t begin = forward.find_first_not_of(" \t\r\n");
          size_t end = forward.find_last_not_of(" \t", equals == 0 ? 0 : equals - 1);
          std::string name = forward.substr(begin, end + 1 - begin);
          if (!name.empty() && std::all_of(name.begin(), name.end(), wordChar)) {
            out.keyword = name;
          }
        }
        return out;
      }
      // A list or a parenthesis inside the call: the cursor is in one argument of what is around it.
      out.argument = 0;
      argument.clear();
      inFirst = true;
      continue;
    } else if (c == ',' && depth == 0) {
      ++out.argument;
      inFirst = false;
    }
    if (inFirst) {
      argument += c;
    }
  }
  return std::nullopt;
}

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

/// Whether the cursor stands in the function, or behind what still parses as it in lines that are indented as its body.
bool insideFunction(const source::SourceText &text, const index::Symbol &function, uint32_t offset) {
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
      visible = function && insideFunction(text, parent, offset);
    }
    if (visible && seen.insert(symbol.name).second) {
      out.items.push_back({symbol.name, kindOf(symbol.kind), symbol.detail, symbol.documentation,
                           (symbol.parent == index::kNone ? "2" : "1") + symbol.name});
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

} // namespace

Result<lsp::CompletionList> handleCompletion(const Snapshot &snapshot, const lsp::PositionParams &params,
                                             const std::stop_token &) {
  lsp::CompletionList out;
  const std::string &text = snapshot.text->text;
  uint32_t offset = offsetOf(*snapshot.text, params.position);
  std::string chain = dottedBefore(text, offset);
  const index::Index &index = indexOf(snapshot);
  size_t dot = chain.rfind('.');
  if (dot != std::string::npos) {
    std::string prefix = plChain(index, chain.substr(0, dot));
    if (!prefix.empty()) {
      addMembers(snapshot.compiler->ops(), prefix, out);
    }
  } else if (chain.empty() || !std::isdigit(static_cast<unsigned char>(chain[0]))) {
    if (std::optional<CallAround> call = callAround(text, offset - chain.size()); call && call->keyword.empty()) {
      for (const lsp::Signature &signature : signaturesOf(snapshot, call->callee).list) {
        for (const std::string &parameter : signature.parameters) {
          std::string name = bare(parameter.substr(0, parameter.find(':')));
          if (!name.starts_with('*')) {
            out.items.push_back(
                {name + "=", lsp::CompletionKind::Variable, "argument of " + call->callee, "", "0" + name});
          }
        }
      }
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
  std::optional<CallAround> call = callAround(snapshot.text->text, offsetOf(*snapshot.text, params.position));
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
