// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/parser.h"

#include "compiler/interpreter/lexer.h"

namespace placid::interp {

std::string Function::argumentLabel(size_t index) const {
  return index < argumentNames.size() ? argumentNames[index] : "arg" + std::to_string(index);
}

const Function *Program::find(const std::string &name) const {
  for (const Function &function : functions) {
    if (function.name == name) {
      return &function;
    }
  }
  return nullptr;
}

namespace {

using Kind = Token::Kind;

class Parser {
public:
  explicit Parser(std::string_view text) : tokens_(lex(text)) {}

  std::variant<Program, Fault> run() {
    while (!failed() && peek().kind != Kind::End) {
      topLevel();
    }
    if (fault_) {
      return *fault_;
    }
    return std::move(program_);
  }

private:
  // --- tokens
  const Token &peek(size_t ahead = 0) const { return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)]; }
  Token take() {
    Token out = peek();
    pos_ += pos_ + 1 < tokens_.size() ? 1 : 0;
    return out;
  }
  bool accept(std::string_view what) {
    if (!peek().is(what)) {
      return false;
    }
    take();
    return true;
  }
  bool failed() const { return fault_.has_value(); }
  void fail(const std::string &why) {
    if (!fault_) {
      fault_ = Fault{peek().line, "", why};
    }
  }
  void expect(std::string_view what) {
    if (!accept(what)) {
      fail("expected `" + std::string(what) + "` before `" + (peek().kind == Kind::End ? "the end" : peek().text) +
           "`");
    }
  }
  /// After an opening bracket: to behind its match.
  void skipBalanced() {
    int depth = 1;
    while (depth > 0 && peek().kind != Kind::End) {
      Token token = take();
      depth += token.is("(") || token.is("[") || token.is("{")   ? 1
               : token.is(")") || token.is("]") || token.is("}") ? -1
                                                                 : 0;
    }
  }

  // --- names
  int define(const std::string &name) {
    int slot = function_->slots++;
    function_->slotNames.push_back(name);
    scopes_.back()[name] = slot;
    return slot;
  }
  int resolve(const std::string &name) {
    for (size_t i = scopes_.size(); i > 0; --i) {
      auto found = scopes_[i - 1].find(name);
      if (found != scopes_[i - 1].end()) {
        return found->second;
      }
    }
    // `%x` may name the first of several results.
    if (name.find('#') == std::string::npos) {
      for (size_t i = scopes_.size(); i > 0; --i) {
        auto found = scopes_[i - 1].find(name + "#0");
        if (found != scopes_[i - 1].end()) {
          return found->second;
        }
      }
    }
    fail("`%" + name + "` is not defined");
    return 0;
  }
  int value() {
    if (peek().kind != Kind::Value) {
      fail("expected a value before `" + peek().text + "`");
      return 0;
    }
    return resolve(take().text);
  }

  // --- types
  Type type() {
    Token token = take();
    if (token.kind == Kind::Type && token.text.find('<') == std::string::npos) {
      auto alias = aliases_.find(token.text);
      if (alias != aliases_.end()) {
        return alias->second;
      }
    }
    if (token.kind == Kind::Type || token.kind == Kind::Word) {
      return parseType(token.text);
    }
    if (token.is("(")) { // a function type or a list: not modelled
      skipBalanced();
      if (accept("->")) {
        if (accept("(")) {
          skipBalanced();
        } else {
          take();
        }
      }
      return {};
    }
    fail("expected a type before `" + token.text + "`");
    return {};
  }
  bool atType() const {
    return peek().kind == Kind::Type || peek().is("(") || (peek().kind == Kind::Word && !startsStatement());
  }
  std::vector<Type> typeList() {
    std::vector<Type> out;
    bool parenthesised = accept("(");
    if (parenthesised && accept(")")) {
      return out;
    }
    do {
      out.push_back(type());
    } while (!failed() && accept(","));
    if (parenthesised) {
      expect(")");
    }
    return out;
  }

  // --- structure
  void topLevel() {
    if (peek().kind == Kind::Type && peek(1).is("=")) { // an alias
      std::string name = take().text;
      take();
      aliases_[name] = type();
      return;
    }
    if (peek().kind == Kind::Attribute && peek(1).is("=")) { // a location alias
      take();
      take();
      if (accept("loc")) {
        expect("(");
        skipBalanced();
      } else {
        take();
      }
      return;
    }
    if (accept("module")) {
      moduleBody();
    } else if (accept("func.func")) {
      function();
    } else {
      fail("expected a module or a function before `" + peek().text + "`");
    }
  }

  void moduleBody() {
    if (peek().kind == Kind::Symbol) {
      take();
    }
    if (accept("attributes")) {
      expect("{");
      std::map<std::string, std::string> attributes = dictionary();
      if (program_.arch.empty()) {
        program_.arch = attributes["pto.target_arch"];
      }
    }
    expect("{");
    while (!failed() && !accept("}")) {
      if (peek().kind == Kind::End) {
        return fail("a module is not closed");
      }
      topLevel();
    }
    trailingLocation();
  }

  /// After `{`, to behind `}`.
  std::map<std::string, std::string> dictionary() {
    std::map<std::string, std::string> out;
    while (!failed() && !accept("}")) {
      if (peek().kind == Kind::End) {
        fail("an attribute list is not closed");
        break;
      }
      std::string key = take().text;
      std::string text;
      if (accept("=")) {
        int depth = 0;
        while (peek().kind != Kind::End && (depth > 0 || (!peek().is(",") && !peek().is("}")))) {
          Token token = take();
          depth += token.is("[") || token.is("(") || token.is("{")   ? 1
                   : token.is("]") || token.is(")") || token.is("}") ? -1
                                                                     : 0;
          if (token.is(":") && depth == 0) { // the type of an integer
            type();
            continue;
          }
          text += token.kind == Kind::Symbol ? "@" + token.text : token.text;
        }
      }
      out[key] = text;
      accept(",");
    }
    return out;
  }

  void function() {
    program_.functions.emplace_back();
    function_ = &program_.functions.back();
    function_->line = peek().line;
    scopes_.assign(1, {});
    accept("private");
    accept("public");
    function_->name = take().text;
    expect("(");
    bool declaration = false;
    while (!failed() && !accept(")")) {
      if (peek().kind == Kind::Value) {
        std::string name = take().text;
        expect(":");
        function_->arguments.push_back(type());
        function_->argumentNames.push_back(name);
        define(name);
      } else {
        declaration = true;
        function_->arguments.push_back(type());
      }
      if (accept("{")) {
        dictionary();
      }
      trailingLocation();
      if (!peek().is(")")) {
        expect(",");
      }
    }
    if (accept("->")) {
      typeList();
    }
    if (accept("attributes")) {
      expect("{");
      std::map<std::string, std::string> attributes = dictionary();
      const std::string &kind = attributes["pto.kernel_kind"];
      function_->kind = kind.find("cube") != std::string::npos     ? "cube"
                        : kind.find("vector") != std::string::npos ? "vector"
                                                                   : "";
    }
    if (declaration || !peek().is("{")) {
      program_.functions.pop_back();
      return;
    }
    take();
    block(function_->body);
    trailingLocation();
  }

  /// After `{`, to behind `}`.
  void block(Block &out) {
    if (++depth_ > kMaxDepth) {
      return fail("regions nest deeper than " + std::to_string(kMaxDepth));
    }
    scopes_.emplace_back();
    if (peek().kind == Kind::Attribute || peek().is("^")) {
      blockHeader(out);
    }
    while (!failed() && !accept("}")) {
      if (peek().kind == Kind::End) {
        fail("a region is not closed");
        break;
      }
      statement(out);
    }
    scopes_.pop_back();
    --depth_;
  }

  void blockHeader(Block &out) { // ^bb0(%a: T, …):
    take();
    if (peek().kind == Kind::Word) {
      take();
    }
    if (accept("(")) {
      while (!failed() && !accept(")")) {
        std::string name = take().text;
        expect(":");
        type();
        out.arguments.push_back(define(name));
        accept(",");
      }
    }
    expect(":");
  }

  /// Whether the token at the cursor opens a statement: what ends the one before, as MLIR text has no terminator.
  bool startsStatement() const {
    const Token &token = peek();
    if (token.kind == Kind::End || token.is("}")) {
      return true;
    }
    if (!token.first) {
      return false;
    }
    if (token.kind == Kind::Value) {
      return peek(1).is("=") || peek(1).is(":") || peek(1).is(",");
    }
    return token.kind == Kind::Word && (token.text == "return" || token.text.find('.') != std::string::npos);
  }

  void statement(Block &out) {
    Statement made;
    std::vector<std::string> names;
    while (peek().kind == Kind::Value) {
      std::string name = take().text;
      size_t count = 1;
      if (accept(":")) {
        count = static_cast<size_t>(std::max(1, std::atoi(take().text.c_str())));
        for (size_t i = 0; i < std::min<size_t>(count, 64); ++i) {
          names.push_back(name + "#" + std::to_string(i));
        }
      } else {
        names.push_back(name);
      }
      if (!accept(",")) {
        expect("=");
        break;
      }
    }
    made.line = peek().line;
    if (peek().kind != Kind::Word && peek().kind != Kind::String) {
      return fail("expected an operation before `" + peek().text + "`");
    }
    made.op = take().text;
    if (made.op == "scf.for") {
      forLoop(made);
    } else if (made.op == "scf.if") {
      conditional(made);
    } else if (made.op == "scf.while") {
      whileLoop(made);
    } else if (made.op.starts_with("pto.section.")) {
      region(made);
    } else {
      parts(made);
    }
    trailingLocation(&made.location);
    for (const std::string &name : names) {
      made.results.push_back(define(name));
    }
    out.body.push_back(std::move(made));
  }

  void region(Statement &made) {
    expect("{");
    made.regions.emplace_back();
    block(made.regions.back());
  }

  void forLoop(Statement &made) {
    std::string variable = take().text;
    expect("=");
    made.operands.push_back(value());
    expect("to");
    made.operands.push_back(value());
    expect("step");
    made.operands.push_back(value());
    std::vector<std::string> carried{variable};
    if (accept("iter_args")) {
      assignments(made, carried);
      if (accept("->")) {
        made.resultTypes = typeList();
      }
    }
    if (accept(":")) {
      made.types.push_back(type());
    }
    namedRegion(made, carried);
    if (peek().is("{")) { // attributes after the body
      take();
      made.attributes = dictionary();
    }
  }

  /// ( %a = %b, … )
  void assignments(Statement &made, std::vector<std::string> &names) {
    expect("(");
    while (!failed() && !accept(")")) {
      names.push_back(take().text);
      expect("=");
      made.operands.push_back(value());
      accept(",");
    }
  }

  void namedRegion(Statement &made, const std::vector<std::string> &names) {
    expect("{");
    made.regions.emplace_back();
    scopes_.emplace_back();
    std::vector<int> arguments;
    for (const std::string &name : names) {
      arguments.push_back(define(name));
    }
    block(made.regions.back());
    Block &entered = made.regions.back();
    entered.arguments.insert(entered.arguments.begin(), arguments.begin(), arguments.end());
    scopes_.pop_back();
  }

  void conditional(Statement &made) {
    made.operands.push_back(value());
    if (accept("->")) {
      made.resultTypes = typeList();
    }
    region(made);
    if (accept("else")) {
      region(made);
    }
  }

  void whileLoop(Statement &made) {
    std::vector<std::string> names;
    if (peek().is("(")) {
      assignments(made, names);
    }
    if (accept(":")) {
      type();
    }
    namedRegion(made, names);
    expect("do");
    region(made);
  }

  /// Everything else: a sequence of groups, in any order, to where the next statement begins.
  void parts(Statement &made) {
    while (!failed() && !startsStatement() && !peek().is("loc")) {
      const Token &token = peek();
      if (token.is("ins") && peek(1).is("(")) {
        take();
        group(made, made.ins, made.insTypes);
      } else if (token.is("outs") && peek(1).is("(")) {
        take();
        group(made, made.outs, made.outsTypes);
      } else if (token.kind == Kind::Word && peek(1).is("=")) {
        std::string name = take().text;
        take();
        list(made, name);
      } else if (token.kind == Kind::Value) {
        made.operands.push_back(value());
      } else if (token.is("(")) {
        group(made, made.operands, made.types);
      } else if (accept("[")) {
        brackets(made);
      } else if (accept("{")) {
        std::map<std::string, std::string> more = dictionary();
        made.attributes.insert(more.begin(), more.end());
      } else if (accept(":")) {
        do {
          made.types.push_back(type());
        } while (!failed() && accept(","));
      } else if (accept("->") || (!made.types.empty() && accept("to"))) {
        made.resultTypes = typeList();
      } else if (!accept(",")) {
        made.words.push_back(take().text);
      }
    }
  }

  /// After `[`: values are operands, the rest one word.
  void brackets(Statement &made) {
    std::string text;
    int depth = 1;
    while (!failed() && peek().kind != Kind::End) {
      if (peek().kind == Kind::Value) {
        made.operands.push_back(value());
        continue;
      }
      Token token = take();
      depth += token.is("[") ? 1 : token.is("]") ? -1 : 0;
      if (depth == 0) {
        break;
      }
      text += token.text;
    }
    if (!text.empty()) {
      made.words.push_back(text);
    }
  }

  /// ( %a, %b {attributes} : T, T )
  void group(Statement &made, std::vector<int> &values, std::vector<Type> &types) {
    expect("(");
    while (!failed() && !accept(")")) {
      if (peek().kind == Kind::End) {
        return fail("an operand list is not closed");
      }
      if (peek().kind == Kind::Value) {
        values.push_back(value());
      } else if (peek().kind == Kind::Word && peek(1).is("=")) {
        std::string name = take().text;
        take();
        list(made, name);
        if (accept(":")) {
          types.push_back(type());
        }
      } else if (accept(":")) {
        do {
          types.push_back(type());
        } while (!failed() && accept(",") && peek().kind != Kind::Value && peek().kind != Kind::String);
      } else if (accept("{")) {
        std::map<std::string, std::string> more = dictionary();
        made.attributes.insert(more.begin(), more.end());
      } else if (peek().kind == Kind::String) {
        take();                                   // the direction of a gather by a pattern, which is rows everywhere
      } else if (!accept(",") && !accept("fp")) { // the scales of a store have a word of their own
        fail("expected a value before `" + peek().text + "`");
      }
    }
  }

  void list(Statement &made, const std::string &name) {
    if (accept("[")) {
      std::vector<int> &values = made.lists[name];
      while (!failed() && !accept("]")) {
        if (peek().kind == Kind::Value) {
          values.push_back(value());
        } else {
          fail("expected a value before `" + peek().text + "`");
        }
        accept(",");
      }
    } else if (peek().kind == Kind::Value) {
      made.lists[name].push_back(value());
    } else {
      made.attributes[name] = take().text;
    }
  }

  void trailingLocation(std::string *out = nullptr) {
    if (!peek().is("loc") || !peek(1).is("(")) {
      return;
    }
    take();
    take();
    int depth = 1;
    while (depth > 0 && peek().kind != Kind::End) {
      Token token = take();
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      if (out != nullptr && out->empty() && token.kind == Kind::String && peek().is(":") &&
          peek(1).kind == Kind::Number && peek(2).is(":")) {
        *out = token.text + ":" + peek(1).text + ":" + peek(3).text;
      }
    }
  }

  static constexpr int kMaxDepth = 200;
  std::vector<Token> tokens_;
  size_t pos_ = 0;
  int depth_ = 0;
  Program program_;
  Function *function_ = nullptr;
  std::vector<std::map<std::string, int>> scopes_;
  std::map<std::string, Type> aliases_;
  std::optional<Fault> fault_;
};

} // namespace

std::variant<Program, Fault> parseProgram(std::string_view text) { return Parser(text).run(); }

} // namespace placid::interp
