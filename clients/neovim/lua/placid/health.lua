-- SPDX-License-Identifier: Apache-2.0
-- :checkhealth placid
local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local bad = health.error or health.report_error

function M.check()
  local placid = require('placid')
  start('placid')
  local program = placid.options().cmd[1]
  local path = vim.fn.exepath(program)
  if path == '' then
    bad('`' .. program .. '` is not executable', { 'put placid on PATH, or give `cmd` to setup()' })
    return
  end
  ok('`' .. program .. '` is ' .. path)
  local said = vim.fn.system({ path, '--version' })
  if vim.v.shell_error == 0 then
    ok(vim.trim(said))
  else
    bad('`' .. path .. ' --version` failed: ' .. vim.trim(said), { 'does `placidd` lie beside `placid`?' })
  end
  ok(placid.has_native_config() and 'configured through vim.lsp.config' or 'configured through vim.lsp.start_client')
  local attached = 0
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and placid.client(buffer) then
      attached = attached + 1
    end
  end
  if attached > 0 then
    ok(attached .. ' buffer(s) attached')
  else
    warn('no buffer attached', { 'open a Python file that imports pypto.language', 'was setup() called?' })
  end
end

return M
