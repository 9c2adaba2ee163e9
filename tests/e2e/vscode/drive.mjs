// SPDX-License-Identifier: Apache-2.0
// Drives the extension in a real VS Code workbench (code-server's, in headless Chromium) with a real server behind it:
// a fault is underlined, its quick fix takes the line away, hover, IR view and picture show, and what a tool refuses in a
// build is underlined until one that it does not refuse. Ends with status 0 when all of it happened, 1 on the first thing
// that did not. Screenshots go to --shots.
// With --silent LOG the server is one that says nothing and writes down what it is shown: then the file must reach it, and
// nothing may be underlined.
// usage: node drive.mjs --tools DIR --extension DIR --server PROGRAM --chromium PROGRAM --shots DIR [--patience SECONDS]
//        [--silent LOG]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values: given } = parseArgs({
  options: { tools: text, extension: text, server: text, chromium: text, shots: text, patience: text, silent: text },
});
const { chromium } = createRequire(path.join(given.tools, 'package.json'))('playwright-core');
/** A loaded machine needs a minute for what takes two seconds on an idle one. */
const PATIENCE = Number(given.patience ?? '180') * 1000;

const KERNEL = `import pypto.language as pl


@pl.program
class Lanes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_nz: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_nz, [24, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
`;

const PRO = `import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ]):
    tt = pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, layout=pl.NZ)
    t = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 24])
`;

function say(what) {
  process.stdout.write(`${what}\n`);
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A home for one run: workspace, extension, settings of the machine. */
function prepare(home) {
  const dirs = Object.fromEntries(
    ['workspace', 'extensions', 'data'].map((name) => [name, path.join(home, name)]),
  );
  Object.values(dirs).forEach((dir) => fs.mkdirSync(dir, { recursive: true }));
  const manifest = JSON.parse(fs.readFileSync(path.join(given.extension, 'package.json'), 'utf8'));
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
  fs.cpSync(given.extension, path.join(dirs.extensions, name), { recursive: true, dereference: true });
  fs.writeFileSync(path.join(dirs.workspace, 'kern.py'), KERNEL);
  fs.writeFileSync(path.join(dirs.workspace, 'pro.py'), PRO);
  fs.mkdirSync(path.join(dirs.data, 'data', 'Machine'), { recursive: true });
  fs.writeFileSync(
    path.join(dirs.data, 'data', 'Machine', 'settings.json'),
    JSON.stringify({ 'placid.path': path.resolve(given.server), 'workbench.startupEditor': 'none' }),
  );
  return dirs;
}

/** A program that stands in for ptoas, which refuses until it is told otherwise. */
function prepareTools(home) {
  const bin = path.join(home, 'ptoas', 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.copyFileSync(new URL('../../toolchain/fake/ptoas', import.meta.url), path.join(bin, 'ptoas'));
  fs.chmodSync(path.join(bin, 'ptoas'), 0o755);
  const tell = (behaviour) => fs.writeFileSync(path.join(bin, 'behaviour'), behaviour);
  tell('error');
  const env = { ...process.env, PTOAS_ROOT: path.join(home, 'ptoas') };
  ['ASCEND_HOME_PATH', 'ASCEND_TOOLKIT_HOME', 'PTO_ISA_PATH', 'PTO_ISA_ROOT'].forEach((name) => delete env[name]);
  return { tell, env };
}

async function startWorkbench(dirs, port, env) {
  const main = path.join(given.tools, 'node_modules/code-server/lib/vscode/out/server-main.js');
  const server = spawn(
    process.execPath,
    [main, '--without-connection-token', '--accept-server-license-terms', '--host', '127.0.0.1', '--port', `${port}`,
      '--extensions-dir', dirs.extensions, '--server-data-dir', dirs.data, '--telemetry-level', 'off'],
    { stdio: ['ignore', 'pipe', 'pipe'], env },
  );
  let log = '';
  server.stderr.on('data', (data) => (log += data));
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => {
      log += data;
      if (/Extension host agent (started|listening)/.test(log)) {
        resolve();
      }
    });
    server.on('exit', (code) => reject(new Error(`the workbench ended with ${code}:\n${log}`)));
  });
  return server;
}

class Editor {
  constructor(page) {
    this.page = page;
    this.shots = 0;
  }

  async shot(name) {
    this.shots += 1;
    await this.page.screenshot({ path: path.join(given.shots, `${this.shots}-${name}.png`) });
  }

  /** Waits for `selector`, or for its absence. */
  async see(what, selector, state = 'visible') {
    try {
      await this.page.locator(selector).first().waitFor({ state, timeout: PATIENCE });
    } catch (fault) {
      await this.shot('failed');
      throw new Error(`waited in vain for ${what} (${selector})\n${fault.message.split('\n')[0]}`);
    }
    say(`seen: ${what}`);
  }

  /** Where a thing is, once it holds still: the editor draws lines anew while it learns about them. */
  async box(selector) {
    const deadline = Date.now() + PATIENCE;
    let last = null;
    while (Date.now() < deadline) {
      const now = await this.page.locator(selector).first().boundingBox({ timeout: PATIENCE }).catch(() => null);
      if (now && last && now.x === last.x && now.y === last.y) {
        return now;
      }
      last = now;
      await this.page.waitForTimeout(250);
    }
    throw new Error(`${selector} does not hold still`);
  }

  async command(title) {
    await this.page.keyboard.press('F1');
    await this.see('the command palette', '.quick-input-widget .quick-input-box input[type=text], .quick-input-widget .quick-input-box input:not([type])');
    await this.page.keyboard.type(title, { delay: 5 });
    await this.see(`the command ${title}`, `.quick-input-list .monaco-list-row:has-text("${title}")`);
    await this.page.keyboard.press('Enter');
  }
}

/** How long a squiggle may take to appear that should not. */
const SILENCE = 10_000;

async function playSilent(editor) {
  await editor.see('the file', '.view-lines:has-text("w_nz")');
  const deadline = Date.now() + PATIENCE;
  const shown = () => fs.existsSync(given.silent) && /\/kern\.py$/m.test(fs.readFileSync(given.silent, 'utf8'));
  while (!shown()) {
    if (Date.now() > deadline) {
      await editor.shot('failed');
      throw new Error('the server was never shown the file');
    }
    await editor.page.waitForTimeout(250);
  }
  say('seen: that the server was shown the file');
  await editor.page.waitForTimeout(SILENCE);
  await editor.shot('silent');
  const squiggles = await editor.page.locator('.squiggly-error').count();
  if (squiggles !== 0) {
    throw new Error(`${squiggles} squiggles of a server that published nothing`);
  }
  say('seen: that nothing is underlined');
}

/** The fault of the file that has `word` in it: underlined, told in a hover, taken away by its first quick fix. */
async function mend(editor, name, word, code) {
  const { page } = editor;
  await editor.see(`the squiggle of ${name}`, '.squiggly-error');
  await editor.shot(`squiggle-${name}`);

  const box = await editor.box('.squiggly-error');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await editor.see('the diagnostic in a hover', `.monaco-hover:visible :text("${code}")`);
  await editor.shot(`hover-${name}`);
  await page.mouse.move(5, 5);

  // To the fault by the editor's own command: lines move when lenses appear.
  await page.locator(`.view-lines:has-text("${word}")`).first().click();
  await page.keyboard.press('F8');
  await editor.see('the problem view', '.marker-widget');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  await editor.see('the quick fixes', '.action-widget .monaco-list-row.action');
  await editor.shot(`quick-fix-${name}`);
  await page.keyboard.press('Enter');
  await editor.see('that the squiggle is gone', '.squiggly-error', 'detached');
  await editor.shot(`fixed-${name}`);
}

/** To a file of the workspace, which has `word` in it, from whatever is shown. */
async function openFile(editor, name, word) {
  const { page } = editor;
  await page.keyboard.press('Control+1'); // from a panel to the editors
  await page.keyboard.press('Control+p');
  await editor.see('the list of files', '.quick-input-widget .quick-input-box input');
  await page.keyboard.type(name, { delay: 5 });
  await editor.see(`${name} in it`, `.quick-input-list .monaco-list-row:has-text("${name}")`);
  await page.keyboard.press('Enter');
  await editor.see(`the tab of ${name}`, `.tab.active:has-text("${name}")`);
  await page.keyboard.press('Control+Home'); // only lines in view are in the page
  await editor.see(name, `.view-lines:has-text("${word}")`);
}

/** The second dialect: the same in another file, with its hints. */
async function playPro(editor) {
  const { page } = editor;
  await openFile(editor, 'pro.py', 'make_tile_group');
  await mend(editor, 'pro', 'make_tile_group', 'PL6068');
  await editor.see('the hint of a tile of the second dialect', '.view-lines:has-text(": [64, 32] FP16 Vec NZ")');
  const annotation = await editor.box('.view-line span:text-is("NZ")');
  await page.mouse.move(annotation.x + annotation.width / 2, annotation.y + annotation.height / 2);
  await editor.see('its blocked form in a hover', '.monaco-hover:visible :text("[1, 8, 4, 16, 16]")');
  await editor.shot('hover-nz-pro');
  await page.mouse.move(5, 5);
}

async function play(editor, tools) {
  const { page } = editor;
  await editor.see('the file', '.view-lines:has-text("w_nz")');
  await mend(editor, 'kern', 'w_nz', 'PL3105');
  await editor.see('the hint of a tile', '.view-lines:has-text("[16, 32] FP32")');

  await page.keyboard.press('Control+z');
  await editor.see('the squiggle after undo', '.squiggly-error');
  await page.keyboard.press('Control+Shift+z');
  await editor.see('that it is gone after redo', '.squiggly-error', 'detached');

  const annotation = await editor.box('.view-line span:text-is("NZ")');
  await page.mouse.move(annotation.x + annotation.width / 2, annotation.y + annotation.height / 2);
  await editor.see('the blocked form in a hover', '.monaco-hover:visible :text("[1, 4, 6, 16, 16]")');
  await editor.shot('hover-nz');
  await page.mouse.move(5, 5);

  await editor.command('placid: Show PTO IR');
  await editor.see('the PTO IR beside it', '.view-lines:has-text("pto.kernel"), .view-lines:has-text("pto.tload")');
  await editor.shot('pto');

  await page.locator('.view-lines:has-text("w_nz")').first().click();
  await editor.command('placid: Show NZ Layout');
  await editor.see('the panel of the picture', '.tab:has-text("NZ layout of kern.py")');
  await editor.shot('picture');

  await openFile(editor, 'kern.py', 'w_nz');
  await editor.command('placid: Build This File');
  await editor.see('what ptoas refused', '.squiggly-error');
  const refused = await editor.box('.squiggly-error');
  await page.mouse.move(refused.x + refused.width / 2, refused.y + refused.height / 2);
  await editor.see('whose diagnostic it is', '.monaco-hover:visible :text("PL7001")');
  await editor.shot('build-refused');
  await page.mouse.move(5, 5);
  tools.tell('good');
  await page.locator('.view-lines:has-text("w_nz")').first().click();
  await editor.command('placid: Build This File');
  await editor.see('that a build which is not refused takes it away', '.squiggly-error', 'detached');
  await editor.shot('build-good');
  await playPro(editor);
}

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'placid-vscode-'));
fs.mkdirSync(given.shots, { recursive: true });
let workbench;
let browser;
let failed = false;
try {
  const dirs = prepare(home);
  const port = await freePort();
  const tools = prepareTools(home);
  workbench = await startWorkbench(dirs, port, tools.env);
  browser = await chromium.launch({ executablePath: given.chromium, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  const file = `vscode-remote://127.0.0.1:${port}${dirs.workspace}/kern.py`;
  const payload = JSON.stringify([['openFile', file], ['skipWelcome', 'true']]);
  await page.goto(
    `http://127.0.0.1:${port}/?folder=${encodeURIComponent(dirs.workspace)}&payload=${encodeURIComponent(payload)}`,
    { waitUntil: 'commit', timeout: PATIENCE },
  );
  // A workspace that is not trusted runs no extension.
  const trust = page.locator('.monaco-dialog-box .monaco-button:has-text("Yes")').first();
  trust.waitFor({ timeout: PATIENCE }).then(() => trust.click(), () => undefined);
  await (given.silent ? playSilent : play)(new Editor(page), tools);
  say('PASS');
} catch (fault) {
  failed = true;
  say(`FAIL: ${fault.message}`);
} finally {
  workbench?.kill('SIGKILL');
  await Promise.race([browser?.close(), new Promise((resolve) => setTimeout(resolve, 10_000))]);
  fs.rmSync(home, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
