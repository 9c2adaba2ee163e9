// SPDX-License-Identifier: Apache-2.0
// JSON <-> the structs of features.h, by the rules of codec.h. Any thread; nothing throws.
#pragma once

#include "protocol/lsp/codec.h"
#include "protocol/lsp/features.h"

namespace placid::lsp {

bool decode(const Json &value, DocumentParams &out, const Path &path);
bool decode(const Json &value, PositionParams &out, const Path &path);
bool decode(const Json &value, ReferenceParams &out, const Path &path);
bool decode(const Json &value, RenameParams &out, const Path &path);
bool decode(const Json &value, SelectionRangeParams &out, const Path &path);
bool decode(const Json &value, RangeParams &out, const Path &path);
bool decode(const Json &value, CodeActionParams &out, const Path &path);
bool decode(const Json &value, PreviousResultParams &out, const Path &path);
bool decode(const Json &value, WorkspaceDiagnosticParams &out, const Path &path);
bool decode(const Json &value, WatchedFilesParams &out, const Path &path);
bool decode(const Json &value, WorkspaceSymbolParams &out, const Path &path);
bool decode(const Json &value, CallHierarchyParams &out, const Path &path);
bool decode(const Json &value, IrParams &out, const Path &path);
bool decode(const Json &value, PictureParams &out, const Path &path);

Json toJson(const TextEdit &value);
Json toJson(const WorkspaceEdit &value);
Json toJson(const CodeAction &value);
Json toJson(const DocumentSymbol &value);
Json toJson(const WorkspaceSymbol &value);
Json toJson(const DocumentHighlight &value);
Json toJson(const PrepareRename &value);
Json toJson(const InlayHint &value);
Json toJson(const CompletionList &value);
Json toJson(const SignatureHelp &value);
Json toJson(const FoldingRange &value);
Json toJson(const SelectionRange &value);
Json toJson(const SemanticTokens &value);
Json toJson(const SemanticTokensDelta &value);
Json toJson(const CodeLens &value);
Json toJson(const DocumentLink &value);
Json toJson(const CallHierarchyItem &value);
Json toJson(const CallHierarchyCall &value);
Json toJson(const DiagnosticReport &value);
Json toJson(const WorkspaceDiagnosticReport &value);
Json toJson(const IrAnswer &value);
Json toJson(const PictureAnswer &value);

/// Capabilities of the rows whose provider is more than `true`, by provider name; empty for those that are.
Json providerOptions(std::string_view provider);

/// What the numbers of semantic tokens mean.
enum class TokenType : uint8_t { Namespace, Class, Enum, EnumMember, Function, Parameter, Variable, Property };
enum TokenModifier : uint8_t { kDeclaration = 1, kReadonly = 2, kDefaultLibrary = 4 };

} // namespace placid::lsp
