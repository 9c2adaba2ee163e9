// SPDX-License-Identifier: Apache-2.0
// The extension: starts the server, shows its state, and adds the two views that the protocol has no word for. All
// language features come from the server through vscode-languageclient, whose restart rules are kept.
import * as os from 'node:os';
import * as vscode from 'vscode';
import { LanguageClient, State } from 'vscode-languageclient/node';

import { IrViews } from './irViews';
import { PictureViews } from './pictureViews';
import { explainFailure, serverStart, Settings } from './settings';

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;
let log: vscode.OutputChannel;

function readSettings(): Settings {
  const from = vscode.workspace.getConfiguration('placid');
  return {
    path: from.get('path', 'placid'),
    arch: from.get('arch', ''),
    defines: from.get('defines', {}),
  };
}

function show(text: string, tooltip: string, wrong = false): void {
  status.text = text;
  status.tooltip = tooltip;
  status.backgroundColor = wrong ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  status.show();
}

async function start(): Promise<void> {
  const made = serverStart(readSettings(), os.homedir());
  const server = { command: made.command, args: made.args };
  client = new LanguageClient(
    'placid',
    'placid',
    { run: server, debug: server },
    {
      documentSelector: [
        { scheme: 'file', language: 'python' },
        { scheme: 'untitled', language: 'python' },
      ],
      initializationOptions: made.initializationOptions,
      outputChannel: log,
      diagnosticCollectionName: 'placid',
    },
  );
  client.onDidChangeState((change) => {
    if (change.newState === State.Running) {
      show('$(check) placid', `placid is running (${made.command})`);
    } else if (change.newState === State.Starting) {
      show('$(sync~spin) placid', 'placid is starting');
    } else {
      show('$(circle-slash) placid', 'placid is not running: click for the log', true);
    }
  });
  try {
    await client.start();
  } catch (fault) {
    const why = explainFailure(made.command, fault instanceof Error ? fault.message : String(fault));
    show('$(error) placid', why, true);
    log.appendLine(why);
    void vscode.window.showErrorMessage(why, 'Open Settings').then((choice) => {
      if (choice) {
        void vscode.commands.executeCommand('workbench.action.openSettings', 'placid');
      }
    });
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  if (old?.needsStop()) {
    await old.stop();
  }
  await old?.dispose();
}

let restarting: Promise<void> = Promise.resolve();

/** One after the other, however often settings change meanwhile. */
function restart(): Promise<void> {
  restarting = restarting.then(stop, stop).then(start);
  return restarting;
}

/** Where a command was called from: a lens hands over URI and kernel, the palette nothing. */
function target(uri: unknown, kernel: unknown): { document: string; kernel: string } | undefined {
  if (typeof uri === 'string') {
    return { document: uri, kernel: typeof kernel === 'string' ? kernel : '' };
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== 'python') {
    void vscode.window.showInformationMessage('placid: open a Python file with kernels first.');
    return undefined;
  }
  return { document: editor.document.uri.toString(), kernel: '' };
}

interface BuildAnswer {
  status: string;
  built: number;
  message: string;
}

/** Builds a file, saved first. What tools refuse comes as diagnostics. */
async function build(document: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === document);
  if (!client?.isRunning() || (open?.isDirty && !(await open.save()))) {
    return;
  }
  try {
    const done: BuildAnswer = await client.sendRequest('workspace/executeCommand', {
      command: 'placid.build',
      arguments: [document],
    });
    if (done.status === 'succeeded') {
      // Where it stopped, and why, when that was before the last step.
      const note = done.message.trimEnd().split('\n').pop();
      const built = `placid: built ${done.built} kernel${done.built === 1 ? '' : 's'}`;
      void vscode.window.showInformationMessage(note ? `${built} (${note.replace(/^placid: /, '')})` : built);
    } else {
      log.appendLine(done.message);
      const last = done.message.trimEnd().split('\n').pop();
      void vscode.window.showErrorMessage(last || `placid: the build ended as ${done.status}`);
    }
  } catch (fault) {
    void vscode.window.showErrorMessage(fault instanceof Error ? fault.message : String(fault));
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel('placid');
  status = vscode.window.createStatusBarItem('placid.status', vscode.StatusBarAlignment.Right, 10);
  status.name = 'placid';
  status.command = 'placid.showLog';
  const running = (): LanguageClient | undefined => (client?.isRunning() ? client : undefined);
  const irViews = new IrViews(running);
  const pictures = new PictureViews(running);
  context.subscriptions.push(
    log,
    status,
    irViews,
    pictures,
    vscode.commands.registerCommand('placid.restart', restart),
    vscode.commands.registerCommand('placid.showLog', () => log.show(true)),
    vscode.commands.registerCommand('placid.showPto', (uri?: unknown, kernel?: unknown) => {
      const at = target(uri, kernel);
      return at && irViews.show({ ...at, after: '', emit: 'pto' });
    }),
    vscode.commands.registerCommand('placid.showIr', (uri?: unknown, kernel?: unknown) => {
      const at = target(uri, kernel);
      return at && irViews.pick(at.document, at.kernel);
    }),
    vscode.commands.registerCommand('placid.buildFile', (uri?: unknown) => {
      const at = target(uri, undefined);
      return at && build(at.document);
    }),
    vscode.commands.registerCommand('placid.showPicture', (uri?: unknown) => {
      const at = target(uri, undefined);
      return at && pictures.show(at.document);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (['placid.path', 'placid.arch', 'placid.defines'].some((name) => change.affectsConfiguration(name))) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await stop();
}
