// SPDX-License-Identifier: Apache-2.0
// placid/ir and placid/picture: what the compiler made of an open document, as text that a client shows read-only and
// asks for again after an edit. Compile thread.
#include "server/handlers/query.h"
#include "server/render/picture_svg.h"
#include "server/render/picture_text.h"

#include <algorithm>

namespace placid::server {

namespace {

protocol::RpcError wrong(std::string why) { return {protocol::ErrorCode::InvalidParams, std::move(why)}; }

/// Why a document has no IR, for a view that would be empty.
std::string faults(const compiler::CheckResult &check, const source::SourceText &text) {
  std::string out;
  for (const diag::Diagnostic &diagnostic : check.diagnostics) {
    if (diagnostic.severity == diag::Severity::Error) {
      out += "// line " + std::to_string(text.range(diagnostic.at.range).start.line + 1) + ": " +
             diag::codeName(diagnostic.code) + ": " + diagnostic.message + "\n";
    }
  }
  return out;
}

} // namespace

Result<lsp::IrAnswer> handleIr(const Snapshot &snapshot, const lsp::IrParams &params, const std::stop_token &stop) {
  if (!params.emit.empty() && params.emit != "pto") {
    return wrong("placid/ir: emit: expected `pto`, not `" + params.emit + "`");
  }
  if (!params.emit.empty() && !params.after.empty()) {
    return wrong("placid/ir: `after` and `emit` exclude each other");
  }
  compiler::IrRequest request;
  request.form = params.emit == "pto" ? compiler::IrRequest::Form::Pto : compiler::IrRequest::Form::Text;
  request.afterPass = params.after;
  request.kernel = params.kernel;
  compiler::IrResult result = snapshot.compiler->ir(snapshot.text, snapshot.options, request, stop);
  if (result.check.stopped) {
    return protocol::RpcError{protocol::ErrorCode::RequestCancelled, "cancelled"};
  }
  if (!result.error.empty()) {
    return wrong("placid/ir: " + result.error);
  }
  lsp::IrAnswer out;
  out.passes = snapshot.compiler->passNames();
  out.text = faults(result.check, *snapshot.text);
  for (size_t i = 0; i < result.units.size(); ++i) {
    const compiler::IrUnit &unit = result.units[i];
    out.text += (i == 0 ? "" : "// -----\n") + unit.text + (unit.text.ends_with('\n') ? "" : "\n");
  }
  if (out.text.empty()) {
    out.text = "// no kernels\n";
  }
  return out;
}

Result<lsp::PictureAnswer> handlePicture(const Snapshot &snapshot, const lsp::PictureParams &params,
                                         const std::stop_token &stop) {
  if (params.format != "svg" && params.format != "html" && params.format != "text") {
    return wrong("placid/picture: format: expected svg, html or text, not `" + params.format + "`");
  }
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  std::vector<Picture> pictures = picturesOf(**known, *snapshot.text, params.tensor);
  if (params.position) {
    uint32_t line = params.position->line + 1;
    auto stands = [line](const Picture &picture) {
      return picture.line == line || std::any_of(picture.windows.begin(), picture.windows.end(),
                                                 [line](const PictureWindow &window) { return window.line == line; });
    };
    // A line that has to do with no NZ tensor asks for all of them.
    if (std::any_of(pictures.begin(), pictures.end(), stands)) {
      std::erase_if(pictures, [&](const Picture &picture) { return !stands(picture); });
    }
  }
  lsp::PictureAnswer out;
  for (const Picture &picture : pictures) {
    out.tensors.push_back(picture.tensor);
    if (params.format == "text") {
      out.text += (out.text.empty() ? "" : "\n") + picture.tensor + ": " + picture.dtype + " " + picture.logical +
                  "\n" + pictureText(picture);
      for (const PictureWindow &window : picture.windows) {
        out.text += "line " + std::to_string(window.line) + ", " + window.op + ": " + windowWords(window) + "\n";
        out.text += pictureText(picture, &window);
      }
    }
  }
  if (params.format != "text") {
    out.text = params.format == "svg" ? pictureSvg(pictures) : pictureHtml(pictures, snapshot.text->path);
  }
  return out;
}

} // namespace placid::server
