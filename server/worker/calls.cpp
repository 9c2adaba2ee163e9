// SPDX-License-Identifier: Apache-2.0
#include "server/worker/calls.h"

#include "compiler/source/common_ends.h"

#include <algorithm>

namespace placid::server {

source::SourcePtr TextShelf::find(const std::string &path) const {
  auto found = std::find_if(texts_.begin(), texts_.end(), [&](const auto &text) { return text->path == path; });
  return found == texts_.end() ? nullptr : *found;
}

void TextShelf::put(const source::SourcePtr &text) {
  std::erase_if(texts_, [&](const auto &held) { return held->path == text->path; });
  texts_.push_front(text);
  size_t bytes = 0;
  size_t count = 0;
  for (auto held = texts_.begin(); held != texts_.end(); ++held) {
    bytes += (*held)->text.size();
    if (++count > 1 && (count > kMaxTexts || bytes > kMaxBytes)) {
      texts_.erase(held, texts_.end());
      return;
    }
  }
}

size_t TextShelf::bytes() const {
  size_t out = 0;
  for (const source::SourcePtr &text : texts_) {
    out += text->text.size();
  }
  return out;
}
TextDelta TextShelf::encode(const source::SourcePtr &text) {
  TextDelta out;
  out.path = text->path;
  const std::string &now = text->text;
  if (source::SourcePtr base = find(text->path)) {
    const source::CommonEnds same =
        base == text ? source::CommonEnds{now.size(), 0} : source::commonEnds(now, base->text);
    out.prefix = same.prefix;
    out.suffix = same.suffix;
  }
  out.middle = now.substr(out.prefix, now.size() - out.prefix - out.suffix);
  put(text);
  return out;
}

source::SourcePtr TextShelf::decode(const TextDelta &delta) {
  source::SourcePtr base = find(delta.path);
  const std::string none;
  const std::string &old = base ? base->text : none;
  if (delta.prefix > old.size() || delta.suffix > old.size() - delta.prefix) {
    return nullptr;
  }
  source::SourcePtr text = base;
  if (!base || delta.prefix != old.size() || !delta.middle.empty()) {
    std::string made;
    made.reserve(delta.prefix + delta.middle.size() + delta.suffix);
    made.append(old, 0, delta.prefix).append(delta.middle).append(old, old.size() - delta.suffix, delta.suffix);
    text = std::make_shared<source::SourceText>(delta.path, std::move(made));
  }
  put(text);
  return text;
}

} // namespace placid::server
