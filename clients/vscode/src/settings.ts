// SPDX-License-Identifier: Apache-2.0
// From settings to what starts the server. Knows no editor, so that it is tested without one.

export interface Settings {
  // Whatever a person has written; null where it was taken back.
  path: string | null;
  arch: string | null;
  defines: Record<string, string | number | boolean | null> | null;
}

export interface ServerStart {
  command: string;
  args: string[];
  initializationOptions: Record<string, unknown>;
}

/** `~` is the one thing people write into paths that no program below would understand. */
function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
}

export function serverStart(settings: Settings, home: string): ServerStart {
  const initializationOptions: Record<string, unknown> = {};
  if (settings.arch) {
    initializationOptions.arch = settings.arch;
  }
  const defines = settings.defines ?? {};
  if (Object.keys(defines).length > 0) {
    initializationOptions.defines = defines;
  }
  return {
    command: expandHome((settings.path ?? '').trim() || 'placid', home),
    args: ['lsp'],
    initializationOptions,
  };
}

/** What a person can do about a server that did not start. */
export function explainFailure(command: string, reason: string): string {
  if (/ENOENT/.test(reason)) {
    return `placid was not found as \`${command}\`. Set "placid.path" to the program, or put it on PATH.`;
  }
  if (/EACCES/.test(reason)) {
    return `\`${command}\` may not be executed. Look at its permissions and at "placid.path".`;
  }
  return `placid did not start: ${reason}`;
}
