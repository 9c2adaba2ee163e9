// SPDX-License-Identifier: Apache-2.0
// Document URIs: split, decoded, compared, and made from paths. Clients spell one file in several ways (`%3A`, `C:` and
// `c:`, encoded parentheses), so documents are found by a normalised key, while what is sent back is the client's own
// spelling. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace placid::lsp {

struct Uri {
  std::string scheme;    ///< Lower case.
  std::string authority; ///< Decoded; usually empty.
  std::string path;      ///< Decoded; of `untitled:x` it is `x`.
  std::string rest;      ///< Query and fragment with their marks, as given.
};

/// Nothing for text without a scheme or with a broken escape.
std::optional<Uri> parseUri(std::string_view text);

/// Equal for spellings of one document. Text that is no URI is its own key.
std::string documentKey(std::string_view uri);

/// The path of a `file:` URI on this machine; for every other URI its own text, which names it in messages.
std::string displayPath(std::string_view uri);

/// `file://` URI of an absolute path. Bytes outside the unreserved set are percent-encoded, `/` is kept.
std::string fileUri(std::string_view path);

} // namespace placid::lsp
