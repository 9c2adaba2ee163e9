// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { irTitle, irUri, parseIrQuery } from '../irUri';
import { escapeHtml, pictureHtml } from '../pictureHtml';
import { explainFailure, serverStart } from '../settings';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));

test('settings become a command line and initialization options', () => {
  assert.deepEqual(serverStart({ path: '', arch: '', defines: {} }, '/home/u'), {
    command: 'placid',
    args: ['lsp'],
    initializationOptions: {},
  });
  assert.deepEqual(serverStart({ path: null, arch: null, defines: null }, '/home/u').initializationOptions, {});
  const start = serverStart({ path: ' ~/bin/placid ', arch: 'a5', defines: { TILE: 64, ON: true } }, '/home/u');
  assert.equal(start.command, '/home/u/bin/placid');
  assert.deepEqual(start.initializationOptions, { arch: 'a5', defines: { TILE: 64, ON: true } });
});

test('a server that does not start is explained', () => {
  assert.match(explainFailure('placid', 'spawn placid ENOENT'), /placid\.path/);
  assert.match(explainFailure('/x/placid', 'EACCES'), /permissions/);
  assert.match(explainFailure('placid', 'odd'), /odd/);
});

test('names of IR views survive the round trip', () => {
  const views = [
    { document: 'file:///a%20b/k%26%3D.py?x#y', kernel: 'P.kern', after: 'BlockNzTensorViews', emit: '' as const },
    { document: 'untitled:Untitled-1', kernel: '', after: '', emit: 'pto' as const },
  ];
  for (const view of views) {
    const uri = new URL(irUri(view));
    assert.equal(uri.protocol, 'placid-ir:');
    assert.deepEqual(parseIrQuery(decodeURIComponent(uri.search.slice(1))), view);
  }
  assert.equal(irTitle(views[0]), 'P.kern after BlockNzTensorViews.mlir');
  assert.equal(parseIrQuery('kernel=x'), undefined);
  assert.equal(parseIrQuery('document=x&emit=cpp'), undefined);
});

test('the page of a picture runs nothing and loads nothing', () => {
  const page = pictureHtml('<svg/>', '</title><script>');
  assert.ok(!page.includes('<script'));
  assert.match(page, /default-src 'none'/);
  assert.equal(escapeHtml(`<&>"'`), '&lt;&amp;&gt;&quot;&#39;');
});

test('every command is registered and every registered one declared', () => {
  const declared = manifest.contributes.commands.map((one: { command: string }) => one.command).sort();
  const source = readFileSync(join(__dirname, '../../src/extension.ts'), 'utf8');
  const registered = [...source.matchAll(/registerCommand\('([^']+)'/g)].map((match) => match[1]).sort();
  assert.deepEqual(registered, declared);
});

test('every setting that is read is declared', () => {
  const source = readFileSync(join(__dirname, '../../src/extension.ts'), 'utf8');
  const read = [...source.matchAll(/from\.get\('([^']+)'/g)].map((match) => `placid.${match[1]}`);
  assert.ok(read.length > 0);
  for (const name of read) {
    assert.ok(name in manifest.contributes.configuration.properties, name);
  }
});

test('the problem matcher reads what `placid check` prints', () => {
  const [head, place] = manifest.contributes.problemMatchers[0].pattern;
  const first = new RegExp(head.regexp).exec('error[PL3105]: the offset `r0` is wrong');
  assert.deepEqual(first?.slice(1), ['error', 'PL3105', 'the offset `r0` is wrong']);
  const second = new RegExp(place.regexp).exec('  --> lane.py:16:28');
  assert.deepEqual(second?.slice(1), ['lane.py', '16', '28']);
});
