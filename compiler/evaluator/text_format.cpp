// SPDX-License-Identifier: Apache-2.0
// str(), repr(), format specifications and `%` formatting, as Python writes them.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace placid::py {

using syntax::Expr;

namespace {

constexpr size_t kMaxShown = size_t{1} << 18;
/// Python refuses to write or read more than 4300 decimal digits.
constexpr uint64_t kMaxDecimalBits = 14000;
/// Squares of bits for one step: decimal digits are made by division.
constexpr uint64_t kBitsSquared = 1 << 18;

/// repr of a float: the shortest digits that read back the same.
std::string floatText(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view shortest(buffer, static_cast<size_t>(end - buffer));
  size_t mark = shortest.find('e');
  int exponent = std::atoi(std::string(shortest.substr(mark + 1)).c_str());
  if (exponent < -4 || exponent >= 16) {
    std::string out(shortest.substr(0, mark));
    char tail[16];
    std::snprintf(tail, sizeof tail, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
    return out + tail;
  }
  std::string digits;
  bool negative = shortest[0] == '-';
  for (char c : shortest.substr(0, mark)) {
    digits += c >= '0' && c <= '9' ? std::string(1, c) : "";
  }
  std::string out;
  if (exponent < 0) {
    out = "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  } else if (static_cast<size_t>(exponent) + 1 >= digits.size()) {
    out = digits + std::string(static_cast<size_t>(exponent) + 1 - digits.size(), '0') + ".0";
  } else {
    out = digits.substr(0, static_cast<size_t>(exponent) + 1) + "." + digits.substr(static_cast<size_t>(exponent) + 1);
  }
  return negative ? "-" + out : out;
}

std::string quoted(const std::string &text, bool bytes) {
  bool single = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
  char quote = single ? '"' : '\'';
  std::string out = bytes ? "b" : "";
  out += quote;
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (code < 0x20 || code == 0x7F || (bytes && code >= 0x80)) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "\\x%02x", code);
      out += hex;
    } else {
      out += c;
    }
  }
  return out + quote;
}

struct Spec {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool alternate = false;
  bool zero = false;
  size_t width = 0;
  char group = 0;
  int precision = -1;
  char type = 0;
};

bool parseSpec(std::string_view text, Spec &out) {
  auto isAlign = [](char c) { return c == '<' || c == '>' || c == '=' || c == '^'; };
  size_t first = 1;
  while (first < text.size() && (static_cast<unsigned char>(text[first]) & 0xC0) == 0x80) {
    ++first;
  }
  if (text.size() > first && isAlign(text[first])) {
    out.fill = text.substr(0, first);
    out.align = text[first];
    text.remove_prefix(first + 1);
  } else if (!text.empty() && isAlign(text[0])) {
    out.align = text[0];
    text.remove_prefix(1);
  }
  if (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == ' ')) {
    out.sign = text[0];
    text.remove_prefix(1);
  }
  if (text.starts_with('#')) {
    out.alternate = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('0')) {
    out.zero = true;
    text.remove_prefix(1);
  }
  bool fits = true;
  auto number = [&](size_t limit) {
    size_t value = 0;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      value = std::min<size_t>(value * 10 + static_cast<size_t>(text[0] - '0'), limit + 1);
      text.remove_prefix(1);
    }
    fits = fits && value <= limit;
    return value;
  };
  out.width = number(100000);
  if (!text.empty() && (text[0] == ',' || text[0] == '_')) {
    out.group = text[0];
    text.remove_prefix(1);
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    out.precision = static_cast<int>(number(500));
  }
  if (!text.empty()) {
    out.type = text[0];
    text.remove_prefix(1);
  }
  return text.empty() && fits;
}

std::string grouped(const std::string &digits, char mark, size_t every) {
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % every == 0) {
      out += mark;
    }
    out += digits[i];
  }
  return out;
}

size_t points(const std::string &text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// `sign` and `prefix` stay before zeros that fill.
std::string padded(const Spec &spec, const std::string &sign, const std::string &body, char defaultAlign) {
  size_t size = points(sign) + points(body);
  char align = spec.align ? spec.align : spec.zero ? '=' : defaultAlign;
  std::string fill = spec.zero && !spec.align ? "0" : spec.fill;
  size_t missing = spec.width > size ? spec.width - size : 0;
  auto repeat = [&](size_t times) {
    std::string out;
    for (size_t i = 0; i < times; ++i) {
      out += fill;
    }
    return out;
  };
  switch (align) {
  case '<':
    return sign + body + repeat(missing);
  case '=':
    return sign + repeat(missing) + body;
  case '^':
    return repeat(missing / 2) + sign + body + repeat(missing - missing / 2);
  default:
    return repeat(missing) + sign + body;
  }
}

std::string signText(const Spec &spec, bool negative) {
  return negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
}

/// Zeros that fill count towards the groups: only without an alignment does that matter.
bool unusualGrouping(const Spec &spec) { return spec.group && spec.zero && spec.width > 0; }

std::optional<std::string> integerText(const Spec &spec, const BigInt &value) {
  char type = spec.type ? spec.type : 'd';
  unsigned base = type == 'd' || type == 'n'   ? 10
                  : type == 'x' || type == 'X' ? 16
                  : type == 'o'                ? 8
                  : type == 'b'                ? 2
                                               : 0;
  if (base == 0 || spec.precision >= 0 || unusualGrouping(spec) || (base == 10 && value.bits() > kMaxDecimalBits)) {
    return std::nullopt;
  }
  std::string digits = (value.negative() ? -value : value).text(base);
  if (type == 'X') {
    std::transform(digits.begin(), digits.end(), digits.begin(),
                   [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  }
  if (spec.group) {
    digits = grouped(digits, spec.group, base == 10 ? 3 : 4);
  }
  std::string sign = signText(spec, value.negative());
  if (spec.alternate && base != 10) {
    sign += type == 'X' ? "0X" : base == 16 ? "0x" : base == 8 ? "0o" : "0b";
  }
  return padded(spec, sign, digits, '>');
}

std::optional<std::string> realText(const Spec &spec, double value) {
  char type = spec.type;
  bool negative = std::signbit(value) && !std::isnan(value);
  double size = std::fabs(value);
  if (spec.alternate || unusualGrouping(spec) || type == 'n') {
    return std::nullopt;
  }
  std::string digits;
  if (type == 0 && spec.precision < 0) {
    digits = floatText(size);
  } else {
    std::string format = "%." + std::to_string(spec.precision < 0 ? 6 : spec.precision);
    bool percent = type == '%';
    if (type == 0) {
      return std::nullopt; // `.3` alone: neither `g` nor `f`
    }
    if (!percent && type != 'f' && type != 'F' && type != 'e' && type != 'E' && type != 'g' && type != 'G') {
      return std::nullopt;
    }
    format += percent ? 'f' : type;
    std::string buffer(900, '\0');
    int wrote = std::snprintf(buffer.data(), buffer.size(), format.c_str(), percent ? size * 100 : size);
    if (wrote < 0 || static_cast<size_t>(wrote) >= buffer.size()) {
      return std::nullopt;
    }
    buffer.resize(static_cast<size_t>(wrote));
    digits = buffer + (percent ? "%" : "");
  }
  if (spec.group) {
    size_t end = digits.find_first_not_of("0123456789");
    end = end == std::string::npos ? digits.size() : end;
    digits = grouped(digits.substr(0, end), spec.group, 3) + digits.substr(end);
  }
  return padded(spec, signText(spec, negative), digits, '>');
}

} // namespace

Value Interpreter::str(Value value) {
  value = fetch(value);
  if (value.is(Kind::Str) || value.isLost()) {
    return value;
  }
  Deeper deeper(*this);
  if (!deeper) {
    return tooMuch();
  }
  if (value.is(Kind::Instance)) {
    auto &instance = value.as<InstanceObject>();
    bool found = false;
    Value own = dunder(value, "__str__", {}, found);
    if (found) {
      return textFrom(own, "__str__");
    }
    if (instance.type->isIntEnum) {
      return unknown("the text of an enumeration's member, which depends on Python's version");
    }
    if (instance.type->isException) {
      return instance.items.empty()                             ? text("")
             : instance.items.size() > 1                        ? repr(tuple(instance.items))
             : instance.type->derives(builtinClass("KeyError")) ? repr(instance.items[0])
                                                                : str(instance.items[0]);
    }
    if (instance.type->isEnum) {
      return text(std::string(instance.type->name) + "." + textOf(instance.items[1]));
    }
  }
  return repr(value);
}

/// What `__str__` and the like may give: a text.
Value Interpreter::textFrom(Value value, std::string_view method) {
  bool open = value.is(Kind::Foreign) || value.is(Kind::Instance) || value.is(Kind::Pl) || value.is(Kind::Tensor);
  return value.isLost() || value.is(Kind::Str) ? value
         : open ? unknown("what `" + std::string(method) + "` gives")
                : raise("TypeError", std::string(method) + " returned non-string (type " + typeName(value) + ")");
}

Value Interpreter::reprOfSequence(Value value) {
  bool list = value.is(Kind::List);
  std::string out = list ? "[" : "(";
  const std::vector<Value> items = value.as<SequenceObject>().items;
  for (size_t i = 0; i < items.size(); ++i) {
    Value item = repr(items[i]);
    if (item.isLost() || out.size() > kMaxShown) {
      return item.isLost() ? item : tooMuch();
    }
    out += (i > 0 ? ", " : "") + textOf(item);
  }
  out += list ? "]" : items.size() == 1 ? ",)" : ")";
  return text(std::move(out));
}

Value Interpreter::reprOfDict(Value value) {
  if (value.as<DictObject>().type) {
    return unknown("the text of a " + typeName(value));
  }
  std::string out = "{";
  for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(value.as<DictObject>().entries)) {
    if (!entry.live) {
      continue;
    }
    Value key = repr(entry.key);
    Value item = key.isLost() ? key : repr(entry.value);
    if (item.isLost() || out.size() > kMaxShown) {
      return item.isLost() ? item : tooMuch();
    }
    out += (out.size() > 1 ? ", " : "") + textOf(key) + ": " + textOf(item);
  }
  return text(out + "}");
}

Value Interpreter::reprOfInstance(Value value) {
  auto &instance = value.as<InstanceObject>();
  bool found = false;
  Value own = dunder(value, "__repr__", {}, found);
  if (found) {
    return textFrom(own, "__repr__");
  }
  if ((!instance.type->dataclass && !instance.type->isNamedTuple) || instance.type->fields.empty()) {
    return unknown("the text of " + typeName(value));
  }
  std::string out = std::string(instance.type->name) + "(";
  bool first = true;
  for (const DataclassField &field : instance.type->fields) {
    const Slot *slot = instance.attributes.find(field.name);
    bool hidden = field.classVariable || !field.shown;
    Value item = hidden ? Value::none() : slot ? repr(slot->value) : unknown("a field that is not set");
    if (item.isLost() || out.size() > kMaxShown) {
      return item.isLost() ? item : tooMuch();
    }
    if (!hidden) {
      out += (first ? "" : ", ") + std::string(field.name) + "=" + textOf(item);
      first = false;
    }
  }
  return text(out + ")");
}

Value Interpreter::repr(Value value) {
  value = fetch(value);
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    return tooMuch();
  }
  switch (value.kind) {
  case Kind::Unknown:
  case Kind::Raised:
    return value;
  case Kind::None:
    return text("None");
  case Kind::Ellipsis:
    return text("Ellipsis");
  case Kind::Bool:
    return text(value.integer ? "True" : "False");
  case Kind::Int:
    return text(std::to_string(value.integer));
  case Kind::Big:
    return bigOf(value).bits() > kMaxDecimalBits ? unknown("the digits of a very large integer")
           : spend(bigOf(value).bits() * bigOf(value).bits() / kBitsSquared) ? text(bigOf(value).text())
                                                                             : tooMuch();
  case Kind::Float:
    return text(floatText(value.real));
  case Kind::Str:
  case Kind::Bytes: {
    const std::string &seen = textOf(value);
    bool ascii = std::all_of(seen.begin(), seen.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii && value.is(Kind::Str)) {
      return unknown("the repr of a text that is not ASCII");
    }
    return seen.size() > kMaxShown || !spendText(seen.size()) ? tooMuch() : text(quoted(seen, value.is(Kind::Bytes)));
  }
  case Kind::List:
  case Kind::Tuple:
    return reprOfSequence(value);
  case Kind::Dict:
    return reprOfDict(value);
  case Kind::Range: {
    auto &range = value.as<RangeObject>();
    return text("range(" + std::to_string(range.start) + ", " + std::to_string(range.stop) +
                (range.step != 1 ? ", " + std::to_string(range.step) : "") + ")");
  }
  case Kind::Instance:
    return reprOfInstance(value);
  default:
    return unknown("the text of " + typeName(value));
  }
}

Value Interpreter::format(Value value, std::string_view spec, const Expr *at) {
  value = fetch(value);
  if (value.isLost()) {
    return value;
  }
  Deeper deeper(*this);
  if (!deeper) {
    return tooMuch();
  }
  if (value.is(Kind::Instance)) {
    bool found = false;
    Value own = dunder(value, "__format__", {text(std::string(spec))}, found);
    if (found) {
      return textFrom(own, "__format__");
    }
    if (value.as<InstanceObject>().type->isEnum) {
      return unknown("the text of an enumeration's member, which depends on Python's version", at);
    }
  }
  if (spec.empty()) {
    return str(value);
  }
  Spec parsed;
  if (!parseSpec(spec, parsed)) {
    return unknown("the format `" + std::string(spec) + "`", at);
  }
  std::optional<std::string> out;
  bool realType = parsed.type && std::string_view("eEfFgG%").find(parsed.type) != std::string_view::npos;
  if (value.is(Kind::Str) && parsed.type && parsed.type != 's') {
    return raise("ValueError", "Unknown format code '" + std::string(1, parsed.type) + "' for object of type 'str'",
                 at);
  }
  if (value.is(Kind::Str)) {
    if ((parsed.type == 0 || parsed.type == 's') && !parsed.group && parsed.align != '=' && parsed.sign == '-') {
      std::string body = textOf(value);
      if (parsed.precision >= 0 && points(body) > static_cast<size_t>(parsed.precision)) {
        bool ascii = points(body) == body.size();
        if (!ascii) {
          return unknown("the format `" + std::string(spec) + "`", at);
        }
        body.resize(static_cast<size_t>(parsed.precision));
      }
      if (parsed.zero && !parsed.align) {
        parsed.align = '<';
        parsed.fill = "0";
      }
      out = padded(parsed, "", body, '<');
    }
  } else if (value.isInteger() && !realType) {
    if (!spend(bigOf(value).bits() * bigOf(value).bits() / kBitsSquared)) {
      return tooMuch();
    }
    out = value.is(Kind::Bool) && parsed.type == 0 ? std::nullopt : integerText(parsed, bigOf(value));
  } else if (value.isNumber()) {
    std::optional<double> real = value.is(Kind::Float) ? std::optional(value.real) : bigOf(value).toDouble();
    out = real ? realText(parsed, *real) : std::nullopt;
  }
  return out && !spendText(out->size()) ? tooMuch()
         : out                          ? text(std::move(*out))
                                        : unknown("the format `" + std::string(spec) + "` of " + typeName(value), at);
}

Value Interpreter::percentFormat(Value pattern, Value values, const Expr *at) {
  std::vector<Value> items{values};
  if (values.is(Kind::Tuple)) {
    items = values.as<SequenceObject>().items;
  }
  std::string out;
  const std::string &text0 = textOf(pattern);
  size_t next = 0;
  for (size_t i = 0; i < text0.size(); ++i) {
    if (text0[i] != '%') {
      out += text0[i];
      continue;
    }
    size_t begin = ++i;
    while (i < text0.size() && std::string_view("0123456789.+- #").find(text0[i]) != std::string_view::npos) {
      ++i;
    }
    char type = i < text0.size() ? text0[i] : '\0';
    if (type == '%') {
      out += '%';
      continue;
    }
    std::string flags = text0.substr(begin, i - begin);
    if (next >= items.size() || std::string_view("disrfFeEgGxXo").find(type) == std::string_view::npos) {
      return next >= items.size() && !values.is(Kind::Dict)
                 ? raise("TypeError", "not enough arguments for format string", at)
                 : unknown("`%` formatting", at);
    }
    Value item = enumValue(fetch(items[next++]));
    if (item.isUnknown()) {
      return item;
    }
    bool left = flags.find('-') != std::string::npos;
    std::erase(flags, '-');
    Value shown;
    if (type != 's' && type != 'r' && (item.is(Kind::Str) || item.isSequence() || item.isNone())) {
      return raise("TypeError", std::string("%") + type + " format: a real number is required, not " + typeName(item),
                   at);
    }
    if (type == 's' || type == 'r') {
      Value body = type == 's' ? str(item) : repr(item);
      shown = body.isLost() ? body : format(body, (left ? "<" : ">") + flags, at);
    } else if (type == 'd' || type == 'i') {
      if (item.is(Kind::Float) && std::isfinite(item.real)) {
        item = heap_.integer(BigInt::ofDouble(item.real));
      }
      shown = flags.find('.') != std::string::npos ? unknown("`%` formatting", at)
                                                   : format(item, (left ? "<" : "") + flags + "d", at);
    } else {
      shown = format(item, (left ? "<" : "") + flags + type, at);
    }
    if (shown.isLost()) {
      return shown;
    }
    out += textOf(shown);
  }
  // Python takes whatever has items for a mapping, lists too, and then does not count.
  bool counted = values.is(Kind::Tuple) || values.isNumber() || values.is(Kind::Str) || values.isNone();
  if (next < items.size() && !counted && !values.is(Kind::Dict) && !values.is(Kind::List)) {
    return unknown("`%` formatting", at);
  }
  if (next < items.size() && counted) {
    return raise("TypeError", "not all arguments converted during string formatting", at);
  }
  return text(std::move(out));
}

} // namespace placid::py
