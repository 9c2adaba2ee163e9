// SPDX-License-Identifier: Apache-2.0
// Methods of str, one row each. Letter case is known for ASCII alone.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>

namespace placid::py {

BuiltinFunction textMethod(std::string_view name);

namespace {

using support::argument;

constexpr std::string_view kSpace = " \t\n\r\f\v";

bool ascii(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
bool lowerCase(char c) { return c >= 'a' && c <= 'z'; }
bool upperCase(char c) { return c >= 'A' && c <= 'Z'; }
bool letter(char c) { return lowerCase(c) || upperCase(c); }
bool digit(char c) { return c >= '0' && c <= '9'; }

template <class Change> Value mapped(Interpreter &run, Value self, Change change) {
  std::string out = textOf(self);
  if (!ascii(out)) {
    return run.unknown("the letter case of a text that is not ASCII");
  }
  bool first = true;
  for (char &c : out) {
    c = change(c, first);
    first = !letter(c);
  }
  return run.text(std::move(out));
}

char toLower(char c) { return upperCase(c) ? static_cast<char>(c + 32) : c; }
char toUpper(char c) { return lowerCase(c) ? static_cast<char>(c - 32) : c; }

Value lower(Interpreter &run, Value self, Arguments &) {
  return mapped(run, self, [](char c, bool) { return toLower(c); });
}
Value upper(Interpreter &run, Value self, Arguments &) {
  return mapped(run, self, [](char c, bool) { return toUpper(c); });
}
Value title(Interpreter &run, Value self, Arguments &) {
  return mapped(run, self, [](char c, bool first) { return first ? toUpper(c) : toLower(c); });
}
Value capitalize(Interpreter &run, Value self, Arguments &) {
  bool start = true;
  return mapped(run, self, [&](char c, bool) {
    char out = start ? toUpper(c) : toLower(c);
    start = false;
    return out;
  });
}

Value strip(Interpreter &run, Value self, Arguments &args, bool left, bool right) {
  Value what = argument(args, 0, "");
  if (what.isUnknown()) {
    return what;
  }
  std::string_view set = what.is(Kind::Str) ? std::string_view(textOf(what)) : kSpace;
  std::string_view seen = textOf(self);
  if (!ascii(std::string(set))) {
    return run.unknown("`strip` of characters that are not ASCII");
  }
  while (left && !seen.empty() && set.find(seen.front()) != std::string_view::npos) {
    seen.remove_prefix(1);
  }
  while (right && !seen.empty() && set.find(seen.back()) != std::string_view::npos) {
    seen.remove_suffix(1);
  }
  return run.text(std::string(seen));
}

Value stripBoth(Interpreter &run, Value self, Arguments &args) { return strip(run, self, args, true, true); }
Value stripLeft(Interpreter &run, Value self, Arguments &args) { return strip(run, self, args, true, false); }
Value stripRight(Interpreter &run, Value self, Arguments &args) { return strip(run, self, args, false, true); }

Value split(Interpreter &run, Value self, Arguments &args) {
  Value by = argument(args, 0, "sep");
  Value most = argument(args, 1, "maxsplit");
  if (by.isUnknown() || most.isUnknown()) {
    return by.isUnknown() ? by : most;
  }
  int64_t left = most.isSmall() && most.integer >= 0 ? most.integer : INT64_MAX;
  std::vector<Value> out;
  std::string_view seen = textOf(self);
  if (!run.spend(seen.size() / 16)) {
    return run.tooMuch();
  }
  if (!by.is(Kind::Str)) {
    while (true) {
      size_t begin = seen.find_first_not_of(kSpace);
      if (begin == std::string_view::npos) {
        break;
      }
      seen.remove_prefix(begin);
      size_t end = left-- > 0 ? std::min(seen.find_first_of(kSpace), seen.size()) : seen.size();
      std::string_view piece = seen.substr(0, end);
      if (end == seen.size()) {
        piece = piece.substr(0, piece.find_last_not_of(kSpace) + 1);
      }
      out.push_back(run.text(std::string(piece)));
      seen.remove_prefix(end);
    }
    return run.list(std::move(out));
  }
  const std::string &mark = textOf(by);
  if (!run.spendSearch(seen.size(), mark.size())) {
    return run.tooMuch();
  }
  if (mark.empty()) {
    return run.raise("ValueError", "empty separator", args.at);
  }
  for (size_t at = seen.find(mark); at != std::string_view::npos && left-- > 0; at = seen.find(mark)) {
    out.push_back(run.text(std::string(seen.substr(0, at))));
    seen.remove_prefix(at + mark.size());
  }
  out.push_back(run.text(std::string(seen)));
  return run.list(std::move(out));
}

Value join(Interpreter &run, Value self, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterate(argument(args, 0, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is(Kind::Str)) {
      return items[i].isUnknown() ? items[i]
                                  : run.raise("TypeError",
                                              "sequence item " + std::to_string(i) + ": expected str instance, " +
                                                  run.typeName(items[i]) + " found",
                                              args.at);
    }
    out += (i > 0 ? textOf(self) : "") + textOf(items[i]);
    if (out.size() > (size_t{1} << 20) || !run.spendText(textOf(items[i]).size() + textOf(self).size())) {
      return run.tooMuch();
    }
  }
  return run.text(std::move(out));
}

Value replace(Interpreter &run, Value self, Arguments &args) {
  Value from = argument(args, 0, "");
  Value to = argument(args, 1, "");
  if (!from.is(Kind::Str) || !to.is(Kind::Str) || textOf(from).empty() || args.positional.size() > 2) {
    return from.isUnknown() ? from : to.isUnknown() ? to : run.unknown("this `replace`", args.at);
  }
  std::string out;
  std::string_view seen = textOf(self);
  if (!run.spendSearch(seen.size(), textOf(from).size())) {
    return run.tooMuch();
  }
  for (size_t at = seen.find(textOf(from)); at != std::string_view::npos; at = seen.find(textOf(from))) {
    out += seen.substr(0, at);
    out += textOf(to);
    seen.remove_prefix(at + textOf(from).size());
    if (out.size() > (size_t{1} << 20) || !run.spend(1)) {
      return run.tooMuch();
    }
  }
  out += seen;
  return run.text(std::move(out));
}

template <class Test> Value affix(Interpreter &run, Arguments &args, Test test) {
  Value what = argument(args, 0, "");
  if (args.positional.size() > 1) {
    return run.unknown("a test of a part of a text", args.at);
  }
  std::vector<Value> options{what};
  if (what.is(Kind::Tuple)) {
    options = what.as<SequenceObject>().items;
  }
  for (Value option : options) {
    if (!option.is(Kind::Str)) {
      return option.isUnknown() ? option : run.raise("TypeError", "expected a str or a tuple of str", args.at);
    }
    if (test(textOf(option))) {
      return Value::ofBool(true);
    }
  }
  return Value::ofBool(false);
}

Value startsWith(Interpreter &run, Value self, Arguments &args) {
  return affix(run, args, [&](const std::string &mark) { return textOf(self).starts_with(mark); });
}
Value endsWith(Interpreter &run, Value self, Arguments &args) {
  return affix(run, args, [&](const std::string &mark) { return textOf(self).ends_with(mark); });
}

Value removePrefix(Interpreter &run, Value self, Arguments &args) {
  Value what = argument(args, 0, "");
  if (!what.is(Kind::Str)) {
    return run.unknown("this `removeprefix`", args.at);
  }
  bool has = textOf(self).starts_with(textOf(what));
  return has ? run.text(textOf(self).substr(textOf(what).size())) : self;
}
Value removeSuffix(Interpreter &run, Value self, Arguments &args) {
  Value what = argument(args, 0, "");
  if (!what.is(Kind::Str)) {
    return run.unknown("this `removesuffix`", args.at);
  }
  bool has = textOf(self).ends_with(textOf(what));
  return has ? run.text(textOf(self).substr(0, textOf(self).size() - textOf(what).size())) : self;
}

Value find(Interpreter &run, Value self, Arguments &args, bool last, bool mustExist) {
  Value what = argument(args, 0, "");
  if (!what.is(Kind::Str) || args.positional.size() != 1 || !ascii(textOf(self))) {
    return what.isUnknown() ? what : run.unknown("this search in a text", args.at);
  }
  if (!run.spendSearch(textOf(self).size(), textOf(what).size())) {
    return run.tooMuch();
  }
  size_t at = last ? textOf(self).rfind(textOf(what)) : textOf(self).find(textOf(what));
  if (at == std::string::npos) {
    return mustExist ? run.raise("ValueError", "substring not found", args.at) : Value::ofInt(-1);
  }
  return Value::ofInt(static_cast<int64_t>(at));
}

Value findFirst(Interpreter &run, Value self, Arguments &args) { return find(run, self, args, false, false); }
Value findLast(Interpreter &run, Value self, Arguments &args) { return find(run, self, args, true, false); }
Value indexFirst(Interpreter &run, Value self, Arguments &args) { return find(run, self, args, false, true); }

Value countText(Interpreter &run, Value self, Arguments &args) {
  Value what = argument(args, 0, "");
  if (!what.is(Kind::Str) || textOf(what).empty() || args.positional.size() != 1) {
    return what.isUnknown() ? what : run.unknown("this `count`", args.at);
  }
  if (!run.spendSearch(textOf(self).size(), textOf(what).size())) {
    return run.tooMuch();
  }
  int64_t out = 0;
  for (size_t at = textOf(self).find(textOf(what)); at != std::string::npos;
       at = textOf(self).find(textOf(what), at + textOf(what).size())) {
    ++out;
  }
  return Value::ofInt(out);
}

template <class Test> Value every(Interpreter &run, Value self, Test test) {
  const std::string &seen = textOf(self);
  return ascii(seen) ? Value::ofBool(!seen.empty() && std::all_of(seen.begin(), seen.end(), test))
                     : run.unknown("the kind of a text that is not ASCII");
}

Value isDigit(Interpreter &run, Value self, Arguments &) { return every(run, self, digit); }
Value isAlpha(Interpreter &run, Value self, Arguments &) { return every(run, self, letter); }
Value isAlnum(Interpreter &run, Value self, Arguments &) {
  return every(run, self, [](char c) { return letter(c) || digit(c); });
}
Value isSpace(Interpreter &run, Value self, Arguments &) {
  return every(run, self, [](char c) { return kSpace.find(c) != std::string_view::npos; });
}
Value isUpper(Interpreter &run, Value self, Arguments &) {
  const std::string &seen = textOf(self);
  bool any = std::any_of(seen.begin(), seen.end(), letter);
  return ascii(seen) ? Value::ofBool(any && std::none_of(seen.begin(), seen.end(), lowerCase))
                     : run.unknown("the letter case of a text that is not ASCII");
}
Value isLower(Interpreter &run, Value self, Arguments &) {
  const std::string &seen = textOf(self);
  bool any = std::any_of(seen.begin(), seen.end(), letter);
  return ascii(seen) ? Value::ofBool(any && std::none_of(seen.begin(), seen.end(), upperCase))
                     : run.unknown("the letter case of a text that is not ASCII");
}

/// `"{} {name:>4}".format(…)`
Value formatText(Interpreter &run, Value self, Arguments &args) {
  const std::string &pattern = textOf(self);
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if ((c == '{' || c == '}') && i + 1 < pattern.size() && pattern[i + 1] == c) {
      out += c;
      ++i;
      continue;
    }
    if (c != '{') {
      out += c;
      continue;
    }
    size_t end = pattern.find('}', i);
    if (end == std::string::npos || pattern.find('{', i + 1) < end) {
      return run.unknown("this format text", args.at);
    }
    std::string field = pattern.substr(i + 1, end - i - 1);
    i = end;
    std::string spec;
    if (size_t colon = field.find(':'); colon != std::string::npos) {
      spec = field.substr(colon + 1);
      field.resize(colon);
    }
    char conversion = 0;
    if (size_t mark = field.find('!'); mark != std::string::npos) {
      conversion = mark + 1 < field.size() ? field[mark + 1] : '\0';
      field.resize(mark);
    }
    if (field.find_first_of(".[") != std::string::npos) {
      return run.unknown("this format text", args.at);
    }
    Value value;
    if (field.empty() || std::all_of(field.begin(), field.end(), digit)) {
      size_t at = field.empty() ? next++ : static_cast<size_t>(std::atoi(field.c_str()));
      value = at < args.positional.size() ? args.positional[at]
                                          : run.raise("IndexError", "Replacement index out of range", args.at);
    } else {
      value = argument(args, SIZE_MAX, field);
      value = value.isRaised() ? run.raiseKey(run.text(field), args.at) : value;
    }
    if (!value.isLost() && conversion) {
      value = conversion == 's' ? run.str(value) : run.repr(value);
    }
    Value shown = value.isLost() ? value : run.format(value, spec, args.at);
    if (shown.isLost()) {
      return shown;
    }
    out += textOf(shown);
    if (out.size() > (size_t{1} << 20)) {
      return run.tooMuch();
    }
  }
  return run.text(std::move(out));
}

Value pad(Interpreter &run, Value self, Arguments &args, const char *align) {
  Value width = argument(args, 0, "");
  Value fill = argument(args, 1, "");
  if (!width.isSmall() || width.integer > 10000 || fill.isUnknown()) {
    return width.isUnknown() ? width : run.unknown("this padding", args.at);
  }
  std::string spec = (fill.is(Kind::Str) ? textOf(fill) : std::string(" ")) + align +
                     std::to_string(std::max<int64_t>(width.integer, 0));
  return run.format(self, spec, args.at);
}

Value padLeft(Interpreter &run, Value self, Arguments &args) { return pad(run, self, args, ">"); }
Value padRight(Interpreter &run, Value self, Arguments &args) { return pad(run, self, args, "<"); }
Value zeroFill(Interpreter &run, Value self, Arguments &args) {
  Value width = argument(args, 0, "");
  const std::string &seen = textOf(self);
  if (!width.isSmall() || width.integer > 10000 || !ascii(seen)) {
    return width.isUnknown() ? width : run.unknown("this padding", args.at);
  }
  size_t sign = seen.starts_with('-') || seen.starts_with('+') ? 1 : 0;
  auto wanted = static_cast<size_t>(std::max<int64_t>(width.integer, 0));
  std::string zeros(wanted > seen.size() ? wanted - seen.size() : 0, '0');
  return run.text(seen.substr(0, sign) + zeros + seen.substr(sign));
}

struct Row {
  std::string_view name;
  BuiltinFunction function;
};

constexpr Row kRows[] = {
    {"lower", lower},
    {"upper", upper},
    {"title", title},
    {"capitalize", capitalize},
    {"strip", stripBoth},
    {"lstrip", stripLeft},
    {"rstrip", stripRight},
    {"split", split},
    {"join", join},
    {"replace", replace},
    {"startswith", startsWith},
    {"endswith", endsWith},
    {"removeprefix", removePrefix},
    {"removesuffix", removeSuffix},
    {"find", findFirst},
    {"rfind", findLast},
    {"index", indexFirst},
    {"count", countText},
    {"isdigit", isDigit},
    {"isalpha", isAlpha},
    {"isalnum", isAlnum},
    {"isspace", isSpace},
    {"isupper", isUpper},
    {"islower", isLower},
    {"format", formatText},
    {"rjust", padLeft},
    {"ljust", padRight},
    {"zfill", zeroFill},
};

} // namespace

BuiltinFunction textMethod(std::string_view name) {
  for (const Row &row : kRows) {
    if (row.name == name) {
      return row.function;
    }
  }
  return nullptr;
}

} // namespace placid::py
