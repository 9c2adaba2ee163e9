-- SPDX-License-Identifier: Apache-2.0
-- Run inside headless Neovim with clients/neovim on 'runtimepath': set-up, squiggle, quick fix, the views, restart,
-- :checkhealth and the help file. Ends with `:cquit 1` on the first disappointment.
-- Input: PLACID_E2E, a JSON object {server: [..], file: "..", code: "PL..", ptoas: "..", beside: "..", others: ["..", ".."]}:
-- `ptoas` is the folder of the program that stands in for it, which fails until `behaviour` there says otherwise; the
-- others lie in a folder of their own.
local want = vim.fn.json_decode(vim.env.PLACID_E2E)
local kWait = 60000

local function say(text)
  io.stdout:write(text .. '\n')
end

local function fail(text)
  say('FAIL: ' .. text)
  vim.cmd('cquit 1')
end

local function wait(what, condition, otherwise)
  if not vim.wait(kWait, condition, 10) then
    fail('waited in vain for ' .. what .. (otherwise and ': ' .. otherwise() or ''))
  end
  say('seen: ' .. what)
end

local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local placid = require('placid')
placid.setup({ cmd = want.server, arch = 'a3' })
vim.cmd('edit ' .. vim.fn.fnameescape(want.file))
vim.bo.filetype = 'python'
local buffer = vim.api.nvim_get_current_buf()
wait('the client', function()
  return placid.client(buffer) ~= nil
end)

local function errors()
  return vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
end
wait('the squiggle', function()
  return #errors() == 1 and errors()[1].user_data.lsp.code == want.code
end)

-- The views, before and after an edit.
local pto = placid.show_ir({ emit = 'pto' })
wait('why there is no PTO IR', function()
  return text_of(pto):find(want.code, 1, true) ~= nil
end)

--- Applies the first fix of a fault.
local function mend(fault)
  local answer = vim.lsp.buf_request_sync(fault.bufnr, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(fault.bufnr) },
    range = {
      start = { line = fault.lnum, character = fault.col },
      ['end'] = { line = fault.end_lnum, character = fault.end_col },
    },
    context = { diagnostics = {} },
  }, kWait)
  local actions = {}
  for _, one in pairs(answer or {}) do
    actions = one.result or {}
  end
  if #actions == 0 then
    fail('no quick fix is offered')
  end
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  wait('that the quick fix took the squiggle away', function()
    return #vim.diagnostic.get(fault.bufnr, { severity = vim.diagnostic.severity.ERROR }) == 0
  end, function()
    return text_of(fault.bufnr) .. vim.inspect(vim.diagnostic.get(fault.bufnr))
  end)
end

-- Files of the folder that nobody has opened.
local other = vim.uri_to_bufnr(vim.uri_from_fname(want.other))
wait('the fault of a file that is not open', function()
  return #vim.diagnostic.get(other, { severity = vim.diagnostic.severity.ERROR }) == 1
end)
mend(errors()[1])
vim.cmd('doautocmd TextChanged')
wait('the PTO IR of the mended text', function()
  return text_of(pto):find('pto.', 1, true) ~= nil and text_of(pto):find(want.code, 1, true) == nil
end)
local layout = placid.show_layout()
wait('the layout', function()
  return text_of(layout):find("the fractal's place in memory", 1, true) ~= nil
end)
if vim.bo[layout].modifiable then
  fail('a view can be edited')
end

local passes = placid.passes('Block')
if #passes == 0 then
  fail('no pass is proposed')
end
for _, name in ipairs({ 'PlacidIr', 'PlacidPto', 'PlacidLayout', 'PlacidRestart', 'PlacidLog' }) do
  if vim.fn.exists(':' .. name) ~= 2 then
    fail('there is no command :' .. name)
  end
end
say('seen: the commands')

-- The second dialect.
vim.cmd('edit ' .. vim.fn.fnameescape(want.pro))
vim.bo.filetype = 'python'
local pro = vim.api.nvim_get_current_buf()
wait('the squiggle of the second dialect', function()
  local found = vim.diagnostic.get(pro, { severity = vim.diagnostic.severity.ERROR })
  return placid.client(pro) ~= nil and #found == 1 and found[1].user_data.lsp.code == want.pro_code
end)
mend(vim.diagnostic.get(pro, { severity = vim.diagnostic.severity.ERROR })[1])
local asked = vim.lsp.buf_request_sync(pro, 'textDocument/hover', {
  textDocument = { uri = vim.uri_from_bufnr(pro) },
  position = { line = 4, character = vim.api.nvim_buf_get_lines(pro, 4, 5, false)[1]:find('NZ') - 1 },
}, kWait)
if not vim.inspect(asked):find('[1, 8, 4, 16, 16]', 1, true) then
  fail('the hover says ' .. vim.inspect(asked))
end
say('seen: the hover of the second dialect')
vim.api.nvim_set_current_buf(buffer)
-- What a tool refuses is a diagnostic of the tool's, at the line, until a build that it does not refuse.
local told_user = {}
local notify = vim.notify
vim.notify = function(text, level)
  told_user[#told_user + 1] = { text = text, level = level }
end
local function of_tools()
  return vim.tbl_filter(function(one)
    return one.source == 'ptoas'
  end, vim.diagnostic.get(buffer))
end
local function line_of(pattern)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(pattern) then
      return number - 1
    end
  end
end
vim.cmd('buffer ' .. buffer)
vim.cmd('PlacidBuild')
wait('what ptoas refused', function()
  local found = of_tools()
  return #found == 1 and found[1].user_data.lsp.code == 'PL7001' and found[1].lnum == line_of('pl%.store')
end)
wait('that the build failed', function()
  return #told_user == 1 and told_user[1].level == vim.log.levels.ERROR
end)
if vim.bo[buffer].modified then
  fail('a build saves the file first')
end
vim.fn.writefile({ 'good' }, want.ptoas .. '/behaviour')
vim.cmd('PlacidBuild')
wait('that it was built', function()
  return #told_user == 2 and told_user[2].level == vim.log.levels.INFO and told_user[2].text:find('built 1 kernel')
end)
wait('that nothing is refused any more', function()
  return #of_tools() == 0
end)
vim.notify = notify

local function open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  vim.bo.filetype = 'python'
  local opened = vim.api.nvim_get_current_buf()
  wait('the client of ' .. vim.fn.fnamemodify(path, ':t'), function()
    return placid.client(opened) ~= nil
  end)
  return opened
end
--- How many servers a buffer has.
local function servers(of)
  return #vim.tbl_filter(function(client)
    return vim.lsp.buf_is_attached(of, client.id)
  end, vim.lsp.get_active_clients())
end

vim.cmd('silent write')
local beside = open(want.beside)
local other = open(want.others[1])
local first, elsewhere = placid.client(buffer).id, placid.client(other).id
if placid.client(beside).id ~= first or elsewhere == first then
  fail('there is one server for each root')
end
vim.cmd('buffer ' .. buffer)
vim.cmd('PlacidRestart')
wait('another client after the restart', function()
  local now = placid.client(buffer)
  return now ~= nil and now.id ~= first
end)
wait('the same one for the buffer beside', function()
  local now = placid.client(beside)
  return now ~= nil and now.id == placid.client(buffer).id
end)
local fourth = open(want.others[2])
vim.cmd('buffer ' .. other)
vim.cmd('silent write')
if placid.client(other).id ~= elsewhere or placid.client(fourth).id ~= elsewhere then
  fail('another root keeps its server')
end
for _, one in ipairs({ buffer, beside, other, fourth }) do
  if servers(one) ~= 1 then
    fail(vim.api.nvim_buf_get_name(one) .. ' has ' .. servers(one) .. ' servers')
  end
end
say('seen: one server for each buffer')
vim.cmd('buffer ' .. buffer)

vim.cmd('checkhealth placid')
local health = text_of(vim.api.nvim_get_current_buf())
if not health:find('placid', 1, true) or health:find('ERROR', 1, true) then
  fail('checkhealth says:\n' .. health)
end
say('seen: a clean bill of health')
vim.cmd('help placid-commands')
if not text_of(vim.api.nvim_get_current_buf()):find(':PlacidLayout', 1, true) then
  fail('the help file is not found')
end
say('seen: the help file')

-- What 0.11 has instead of start_client: stand-ins record what they are told.
local told = {}
vim.lsp.config = function(name, config)
  told.name, told.config = name, config
end
vim.lsp.enable = function(name)
  told.enabled = name
end
if not placid.has_native_config() then
  fail('the configuration of 0.11 is not recognised')
end
placid.setup({ cmd = { 'x', 'lsp' }, defines = { TILE = 64 } })
local rooted = nil
told.config.root_dir(buffer, function(root)
  rooted = root
end)
local right = told.name == 'placid' and told.enabled == 'placid' and told.config.cmd[1] == 'x'
if not right or told.config.init_options.defines.TILE ~= 64 or rooted == nil then
  fail('vim.lsp.config was told: ' .. vim.inspect(told))
end
say('seen: what 0.11 would be told')
say('PASS')
vim.cmd('quitall!')
