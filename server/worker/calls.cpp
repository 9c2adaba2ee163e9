// SPDX-License-Identifier: Apache-2.0
#include "server/worker/calls.h"

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

TextDelta TextShelf::encode(const source::SourcePtr &text) {
  TextDelta out;
  out.path = text->path;
  const std::string &now = text->text;
  if (source::SourcePtr base = find(text->path)) {
    const std::string &old = base->text;
    size_t most = std::min(old.size(), now.size());
    if (base == text) {
      out.prefix = most;
    } else {
      size_t same = static_cast<size_t>(
          std::mismatch(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(most), old.begin()).first - now.begin());
      out.prefix = same;
      size_t tail = 0;
      while (tail < most - same && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) {
        ++tail;
      }
      out.suffix = tail;
    }
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
