// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/import_places.h"

#include "compiler/source/words.h"

namespace placid::index {

namespace {

using source::ByteRange;

/// The words and dots of one statement, in order.
class Reader {
public:
  Reader(std::string_view text, ByteRange range) : text_(text) {
    for (const source::Word &word : source::wordsOf(text, range)) {
      if (word.kind != source::Word::Kind::Comment) {
        words_.push_back(word.range);
      }
    }
  }

  std::string_view peek() const { return at_ < words_.size() ? source::slice(text_, words_[at_]) : std::string_view(); }
  bool take(std::string_view word) {
    bool there = !word.empty() && peek() == word;
    at_ += there ? 1 : 0;
    return there;
  }
  /// A dotted name, dots in front included. Empty at anything else.
  ByteRange dotted() {
    ByteRange out;
    bool dot = true;
    for (; at_ < words_.size(); ++at_) {
      bool isDot = peek() == ".";
      bool name = !isDot && peek() != "(" && peek() != ")" && peek() != "," && peek() != "import";
      if (!isDot && (!name || !dot)) {
        break;
      }
      out = {out.end == 0 ? words_[at_].begin : out.begin, words_[at_].end};
      dot = isDot;
    }
    return out;
  }
  void skipTo(std::string_view word) {
    while (at_ < words_.size() && peek() != word) {
      ++at_;
    }
  }

private:
  std::string_view text_;
  std::vector<ByteRange> words_;
  size_t at_ = 0;
};

} // namespace

ImportPlaces importPlaces(std::string_view text, const syntax::Stmt &stmt) {
  ImportPlaces out;
  Reader reader(text, stmt.range);
  if (reader.take("from")) {
    out.module = reader.dotted();
  }
  reader.take("import");
  reader.take("(");
  for (const syntax::ImportedName &imported : stmt.imports) {
    ImportPlace place;
    place.name = reader.dotted();
    place.bound = place.name;
    if (reader.take("as")) {
      place.bound = reader.dotted();
    }
    // Blanks and comments may stand between the parts of a dotted name: of others the text must be the name's own.
    std::string_view written = source::slice(text, place.name);
    bool same = written == imported.name || imported.name.find('.') != std::string_view::npos;
    out.names.push_back(same ? place : ImportPlace());
    reader.skipTo(",");
    reader.take(",");
  }
  return out;
}

} // namespace placid::index
