// SPDX-License-Identifier: Apache-2.0
// Holds recorded server messages against the protocol's own types: each becomes a typed constant of a TypeScript file,
// and the compiler says what does not fit (wrong kinds, missing members, members that the protocol does not have).
// usage: node validate.mjs MESSAGES.json     (types and compiler come from clients/vscode/node_modules)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const client = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../clients/vscode');
const ts = createRequire(path.join(client, 'package.json'))('typescript');

// What each message is, in the words of vscode-languageserver-protocol.
const RESULTS = {
  initialize: 'lsp.InitializeResult',
  shutdown: 'null',
  'textDocument/hover': 'lsp.Hover | null',
  'textDocument/diagnostic': 'lsp.DocumentDiagnosticReport',
  'workspace/diagnostic': 'lsp.WorkspaceDiagnosticReport',
  'textDocument/codeAction': 'lsp.CodeAction[]',
  'textDocument/definition': 'lsp.Location[]',
  'textDocument/references': 'lsp.Location[]',
  'textDocument/documentHighlight': 'lsp.DocumentHighlight[]',
  'textDocument/prepareRename': 'lsp.PrepareRenameResult | null',
  'textDocument/rename': 'lsp.WorkspaceEdit',
  'textDocument/documentSymbol': 'lsp.DocumentSymbol[]',
  'workspace/symbol': 'lsp.SymbolInformation[]',
  'textDocument/prepareCallHierarchy': 'lsp.CallHierarchyItem[]',
  'callHierarchy/incomingCalls': 'lsp.CallHierarchyIncomingCall[]',
  'callHierarchy/outgoingCalls': 'lsp.CallHierarchyOutgoingCall[]',
  'textDocument/completion': 'lsp.CompletionList',
  'textDocument/signatureHelp': 'lsp.SignatureHelp | null',
  'textDocument/inlayHint': 'lsp.InlayHint[]',
  'textDocument/codeLens': 'lsp.CodeLens[]',
  'textDocument/documentLink': 'lsp.DocumentLink[]',
  'textDocument/foldingRange': 'lsp.FoldingRange[]',
  'textDocument/selectionRange': 'lsp.SelectionRange[]',
  'textDocument/semanticTokens/full': 'lsp.SemanticTokens',
  'textDocument/semanticTokens/full/delta': 'lsp.SemanticTokens | lsp.SemanticTokensDelta',
};
// Not every run asks these.
const ALSO = { 'workspace/executeCommand': 'lsp.LSPAny' };
// What the server says and asks of itself. Progress: of work, or a part of the only answer that is given in parts.
const SAID = {
  'textDocument/publishDiagnostics': 'lsp.PublishDiagnosticsParams',
  'window/showMessage': 'lsp.ShowMessageParams',
  '$/progress':
    '{ token: lsp.ProgressToken; value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd | lsp.WorkspaceDiagnosticReport }',
};
const ASKED = {
  'client/registerCapability': 'lsp.RegistrationParams',
  'window/workDoneProgress/create': 'lsp.WorkDoneProgressCreateParams',
  'workspace/diagnostic/refresh': 'null | undefined',
  'workspace/inlayHint/refresh': 'null | undefined',
  'workspace/codeLens/refresh': 'null | undefined',
};
const ERROR = '{ code: lsp.integer; message: string; data?: lsp.LSPAny }';

const messages = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const seen = new Set();
const lines = ["import type * as lsp from 'vscode-languageserver-protocol';"];
for (const message of messages) {
  const { method, asks } = message;
  const answers = !('params' in message);
  const type = 'error' in message ? ERROR : answers ? (RESULTS[method] ?? ALSO[method]) : (asks ? ASKED : SAID)[method];
  if (!type) {
    if (!method?.startsWith('placid/')) {
      throw new Error(`no type is given for ${method}`);
    }
    continue;
  }
  const literal = JSON.stringify('error' in message ? message.error : answers ? message.result : message.params);
  if (!seen.has(type + literal)) {
    seen.add(type + literal);
    lines.push(`export const m${lines.length}: ${type} = ${literal}; // ${method}`);
  }
}
if (lines.length < 2) {
  throw new Error('nothing was recorded');
}
const unasked = Object.keys(RESULTS).filter((method) => !messages.some((one) => one.method === method && 'result' in one));
if (unasked.length > 0) {
  throw new Error(`never asked: ${unasked.join(', ')}`);
}

const name = path.join(client, 'messages.ts');
const options = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  target: ts.ScriptTarget.ES2022,
  types: [],
};
const host = ts.createCompilerHost(options);
const readFile = host.readFile.bind(host);
const fileExists = host.fileExists.bind(host);
const getSourceFile = host.getSourceFile.bind(host);
host.fileExists = (file) => file === name || fileExists(file);
host.readFile = (file) => (file === name ? lines.join('\n') : readFile(file));
host.getSourceFile = (file, version, ...rest) =>
  file === name ? ts.createSourceFile(file, lines.join('\n'), version) : getSourceFile(file, version, ...rest);
const program = ts.createProgram([name], options, host);
const faults = ts.getPreEmitDiagnostics(program);
for (const fault of faults.slice(0, 20)) {
  const at = fault.file ? fault.file.getLineAndCharacterOfPosition(fault.start).line : -1;
  const method = /\/\/ (\S+)$/.exec(lines[at] ?? '')?.[1] ?? '';
  console.log(`${method}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
  console.log(`    ${(lines[at] ?? '').slice(0, 400)}`);
}
console.log(`${lines.length - 1} different messages, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
