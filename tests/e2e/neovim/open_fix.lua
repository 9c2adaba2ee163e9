-- SPDX-License-Identifier: Apache-2.0
-- Run inside headless Neovim: opens a kernel with a fault, waits for its squiggle, fixes the line in the buffer, waits for
-- the squiggle to vanish, asks for a hover, and stops the server. Ends with `:cq` (status 1) on the first disappointment.
-- Input: PLACID_E2E, a JSON object {server: [..], file: "..", line: 1-based, fixed: "line text", code: "PL..",
-- hover: {line: 1-based, character: 0-based, contains: ".."} or null}
local want = vim.fn.json_decode(vim.env.PLACID_E2E)
local kWait = 20000

local function say(text)
  io.stdout:write(text .. '\n')
end

local function fail(text)
  say('FAIL: ' .. text)
  vim.cmd('cquit 1')
end

local function wait(what, condition)
  if not vim.wait(kWait, condition, 5) then
    fail('waited in vain for ' .. what)
  end
end

vim.cmd('edit ' .. vim.fn.fnameescape(want.file))
local buffer = vim.api.nvim_get_current_buf()
local published = 0
local exited = nil
local client = vim.lsp.start_client({
  name = 'placid',
  cmd = want.server,
  root_dir = vim.fn.fnamemodify(want.file, ':h'),
  handlers = {
    ['textDocument/publishDiagnostics'] = function(...)
      published = published + 1
      return vim.lsp.diagnostic.on_publish_diagnostics(...)
    end,
  },
  on_exit = function(code)
    exited = code
  end,
})
if not client then
  fail('the client did not start')
end
vim.lsp.buf_attach_client(buffer, client)

-- Each problem as the editor shows it, one-based.
local function problems()
  local out = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(out, string.format('%d:%d %s %s', d.lnum + 1, d.col + 1, d.user_data.lsp.code or '?', d.message))
  end
  return out
end

local function has_code()
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    if d.lnum == want.line - 1 and d.user_data.lsp.code == want.code then
      return true
    end
  end
  return false
end

wait(want.code .. ' at line ' .. want.line .. ' (have: ' .. table.concat(problems(), '; ') .. ')', has_code)
say('squiggle: ' .. table.concat(problems(), '; '))

if want.hover ~= vim.NIL then
  local result = nil
  vim.lsp.buf_request(buffer, 'textDocument/hover', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = want.hover.line - 1, character = want.hover.character },
  }, function(_, answer)
    result = answer or false
  end)
  wait('a hover', function()
    return result ~= nil
  end)
  local text = result and result.contents.value or 'nothing'
  if not text:find(want.hover.contains, 1, true) then
    fail('the hover says: ' .. text)
  end
  say('hover: ok')
end

local before = published
vim.api.nvim_buf_set_lines(buffer, want.line - 1, want.line, true, { want.fixed })
wait('the diagnostics of the fixed text', function()
  return published > before and #vim.diagnostic.get(buffer) == 0
end)
say('vanished after the fix')

-- Undo by the editor's own means: the text goes back through another incremental edit.
vim.cmd('undo')
wait('the squiggle to come back', has_code)
say('back after undo')

vim.lsp.stop_client(client)
wait('the server to end', function()
  return exited ~= nil
end)
if exited ~= 0 then
  fail('the server ended with ' .. exited)
end
say('PASS')
vim.cmd('quitall!')
