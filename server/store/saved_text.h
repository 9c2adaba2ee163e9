// SPDX-License-Identifier: Apache-2.0
// Whether a file holds what an open document shows. Apart from the documents, which know no disk, and from the sources
// of imports, which keep what they have read. Reads a regular file at most; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace placid::server {

enum class SavedText : uint8_t {
  Same,
  Other,
  NoFile, ///< Nothing is there, or no regular file.
};

/// How the file at `path` stands to an editor's `text`; null: whether it is a file at all, then Same. Ends of lines and
/// a byte order mark are the editor's own business, and of a file that is not UTF-8 nobody knows: Same.
SavedText savedText(const std::string &path, const std::string *text);

/// The same, of a file's content.
bool sameText(std::string_view content, std::string_view text);

} // namespace placid::server
