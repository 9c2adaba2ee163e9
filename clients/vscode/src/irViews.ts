// SPDX-License-Identifier: Apache-2.0
// Read-only documents with the IR of a kernel, asked for again while its source is edited.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

import { IR_SCHEME, IrView, irUri, parseIrQuery } from './irUri';

/** Long enough to let a word be typed, short enough to look live. */
const QUIET_MS = 150;

interface IrAnswer {
  text: string;
  passes: string[];
}

export class IrViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly registrations: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.registrations = [
      vscode.workspace.registerTextDocumentContentProvider(IR_SCHEME, this),
      vscode.workspace.onDidChangeTextDocument((change) => this.refresh(change.document.uri.toString())),
    ];
  }

  dispose(): void {
    this.timers.forEach((timer) => clearTimeout(timer));
    this.registrations.forEach((one) => one.dispose());
    this.changed.dispose();
  }

  async show(view: IrView): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(irUri(view), true));
    await vscode.languages.setTextDocumentLanguage(document, 'placid-ir');
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  /** Lets one of the passes be chosen, then shows the IR after it. */
  async pick(document: string, kernel: string): Promise<void> {
    const answer = await this.ask({ document, kernel, after: '', emit: '' });
    if (typeof answer === 'string') {
      void vscode.window.showWarningMessage(answer);
      return;
    }
    const after = await vscode.window.showQuickPick(answer.passes, { placeHolder: 'IR after which pass?' });
    if (after) {
      await this.show({ document, kernel, after, emit: '' });
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const view = parseIrQuery(uri.query);
    if (!view) {
      return '// this view was not made by placid\n';
    }
    const answer = await this.ask(view);
    return typeof answer === 'string' ? `// ${answer}\n` : answer.text;
  }

  /** The answer, or in words why there is none. */
  private async ask(view: IrView): Promise<IrAnswer | string> {
    const client = this.client();
    if (!client) {
      return 'placid is not running';
    }
    try {
      return await client.sendRequest<IrAnswer>('placid/ir', {
        textDocument: { uri: view.document },
        kernel: view.kernel,
        after: view.after,
        emit: view.emit,
      });
    } catch (fault) {
      return fault instanceof Error ? fault.message : String(fault);
    }
  }

  private refresh(document: string): void {
    const views = vscode.workspace.textDocuments.filter(
      (open) => open.uri.scheme === IR_SCHEME && parseIrQuery(open.uri.query)?.document === document,
    );
    if (views.length === 0) {
      return;
    }
    clearTimeout(this.timers.get(document));
    this.timers.set(
      document,
      setTimeout(() => {
        this.timers.delete(document);
        views.forEach((view) => this.changed.fire(view.uri));
      }, QUIET_MS),
    );
  }
}
