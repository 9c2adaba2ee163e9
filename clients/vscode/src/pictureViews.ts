// SPDX-License-Identifier: Apache-2.0
// The NZ layout of a document's tensors in a panel beside it, drawn again while it is edited.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

import { pictureHtml } from './pictureHtml';

const QUIET_MS = 150;

interface PictureAnswer {
  text: string;
  tensors: string[];
}

export class PictureViews implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly registration: vscode.Disposable;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.registration = vscode.workspace.onDidChangeTextDocument((change) => {
      const document = change.document.uri.toString();
      if (this.panels.has(document)) {
        clearTimeout(this.timers.get(document));
        this.timers.set(
          document,
          setTimeout(() => void this.draw(document), QUIET_MS),
        );
      }
    });
  }

  dispose(): void {
    this.timers.forEach((timer) => clearTimeout(timer));
    this.registration.dispose();
    this.panels.forEach((panel) => panel.dispose());
  }

  async show(document: string): Promise<void> {
    let panel = this.panels.get(document);
    if (panel) {
      panel.reveal(undefined, true);
    } else {
      panel = vscode.window.createWebviewPanel(
        'placid.picture',
        'NZ layout',
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: false, localResourceRoots: [] },
      );
      this.panels.set(document, panel);
      panel.onDidDispose(() => this.panels.delete(document));
    }
    await this.draw(document);
  }

  private async draw(document: string): Promise<void> {
    const panel = this.panels.get(document);
    const client = this.client();
    if (!panel || !client) {
      return;
    }
    try {
      const answer = await client.sendRequest<PictureAnswer>('placid/picture', {
        textDocument: { uri: document },
        format: 'svg',
      });
      const name = vscode.Uri.parse(document).path.split('/').pop() ?? '';
      panel.title = `NZ layout of ${name}`;
      panel.webview.html = pictureHtml(answer.text, panel.title);
    } catch {
      // An edit overtook the request; the next one draws.
    }
  }
}
