// SPDX-License-Identifier: Apache-2.0
#include "server/store/saved_text.h"

#include "compiler/source/byte_order_mark.h"
#include "compiler/source/text.h"
#include "server/support/read_file.h"

namespace placid::server {

namespace {

constexpr size_t kAround = 16; ///< A mark, a last line's end.

/// Both as they go on from there, without carriage returns before the end of a line.
bool skipReturn(std::string_view text, size_t &at) {
  if (at + 1 < text.size() && text[at] == '\r' && text[at + 1] == '\n') {
    ++at;
  }
  return at < text.size();
}

} // namespace

bool sameText(std::string_view content, std::string_view text) {
  for (std::string_view *one : {&content, &text}) {
    one->remove_prefix(one->starts_with(source::kByteOrderMark) ? source::kByteOrderMark.size() : 0);
  }
  size_t i = 0;
  size_t j = 0;
  while (true) {
    bool left = skipReturn(content, i);
    bool right = skipReturn(text, j);
    if (!left || !right) {
      return left == right || source::findTextFault(content).kind == source::TextFault::Kind::InvalidUtf8;
    }
    if (content[i++] != text[j++]) {
      return source::findTextFault(content).kind == source::TextFault::Kind::InvalidUtf8;
    }
  }
}

SavedText savedText(const std::string &path, const std::string *text) {
  // At most a return more for each line; whatever is longer need not be read to be another one.
  FileContent file = readFile(path, text ? 2 * text->size() + kAround : 0);
  if (file.error != 0) {
    return SavedText::NoFile;
  }
  return !text || (!file.tooLarge && sameText(file.text, *text)) ? SavedText::Same : SavedText::Other;
}

} // namespace placid::server
