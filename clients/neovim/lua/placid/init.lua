-- SPDX-License-Identifier: Apache-2.0
-- Starts `placid lsp` for Python buffers that import PL, and shows what only placid has: the IR of a buffer, and the
-- layout of its NZ tensors. Works with Neovim 0.7 (`vim.lsp.start_client`) and with the configuration table of 0.11.
local M = {}

local defaults = {
  cmd = { 'placid', 'lsp' },
  arch = '', -- 'a2', 'a3', 'a5'; empty: what the kernel says
  defines = {}, -- module constants to override: { TILE = 128 }
  root_markers = { 'placid.toml', 'pyproject.toml', '.git' },
  all_python = false, -- also files that import no dialect of PL
  workspace_diagnostics = true, -- also of files that are not open
  on_attach = nil,
}
local options = vim.deepcopy(defaults)
local clients = {} -- client id by root folder

--- Text that imports a PL dialect; the first lines decide.
function M.is_pl(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 400, false)) do
    if line:find('pypto%.language') or line:find('from pypto import language') or line:find('pypto_pro') then
      return true
    end
  end
  return false
end

--- The nearest folder with a marker, else the file's own.
function M.root_of(path)
  local start = vim.fn.fnamemodify(path, ':p:h')
  local folder = start
  while true do
    for _, marker in ipairs(options.root_markers) do
      local at = folder .. '/' .. marker
      if vim.fn.filereadable(at) == 1 or vim.fn.isdirectory(at) == 1 then
        return folder
      end
    end
    local above = vim.fn.fnamemodify(folder, ':h')
    if above == folder then
      return start
    end
    folder = above
  end
end

--- What the server is told at its start.
function M.client_config(root)
  local init = {}
  if options.arch ~= '' then
    init.arch = options.arch
  end
  if next(options.defines) then
    init.defines = options.defines
  end
  if not options.workspace_diagnostics then
    init.workspaceDiagnostics = false
  end
  return {
    name = 'placid',
    cmd = options.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    init_options = next(init) and init or nil,
    on_attach = options.on_attach,
    on_exit = function(_, _, id)
      if clients[root] == id then -- another one may have taken its place
        clients[root] = nil
      end
    end,
  }
end

local function runs(client)
  return client ~= nil and not (client.is_stopped and client.is_stopped())
end

--- The id of the server of a root that runs, whoever started it.
local function running(root)
  if clients[root] and runs(vim.lsp.get_client_by_id(clients[root])) then
    return clients[root]
  end
  local all = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'placid' }) or vim.lsp.get_active_clients()
  for _, client in pairs(all) do
    if client.name == 'placid' and client.config.root_dir == root and runs(client) then
      return client.id
    end
  end
  return nil
end

function M.attach(buffer)
  if vim.api.nvim_buf_get_name(buffer) == '' or not (options.all_python or M.is_pl(buffer)) then
    return nil
  end
  local root = M.root_of(vim.api.nvim_buf_get_name(buffer))
  local id = running(root) or vim.lsp.start_client(M.client_config(root))
  clients[root] = id
  if id and not vim.lsp.buf_is_attached(buffer, id) then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

--- True where Neovim keeps configurations itself (0.11).
function M.has_native_config()
  return vim.lsp.config ~= nil and vim.lsp.enable ~= nil
end

local function attach_native()
  vim.lsp.config('placid', {
    cmd = options.cmd,
    filetypes = { 'python' },
    init_options = M.client_config('/').init_options,
    on_attach = options.on_attach,
    root_dir = function(buffer, found)
      if options.all_python or M.is_pl(buffer) then
        found(M.root_of(vim.api.nvim_buf_get_name(buffer)))
      end
    end,
  })
  vim.lsp.enable('placid')
  -- Servers are started when the type of a buffer is set; one may begin to import PL later.
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = vim.api.nvim_create_augroup('placid', { clear = true }),
    callback = function(event)
      if vim.bo[event.buf].filetype == 'python' and M.is_pl(event.buf) and not M.client(event.buf) then
        pcall(vim.api.nvim_exec_autocmds, 'FileType', { group = 'nvim.lsp.enable', buffer = event.buf })
      end
    end,
  })
end

function M.setup(given)
  options = vim.tbl_deep_extend('force', vim.deepcopy(defaults), given or {})
  if M.has_native_config() then
    attach_native()
    return
  end
  local group = vim.api.nvim_create_augroup('placid', { clear = true })
  vim.api.nvim_create_autocmd({ 'FileType', 'BufWritePost' }, {
    group = group,
    callback = function(event)
      if vim.bo[event.buf].filetype == 'python' then
        M.attach(event.buf)
      end
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'python' then
      M.attach(buffer)
    end
  end
end

function M.options()
  return options
end

--- The client of a buffer, or nil.
function M.client(buffer)
  local list = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer, name = 'placid' })
    or vim.tbl_values(vim.lsp.buf_get_clients(buffer))
  for _, client in ipairs(list) do
    if client.name == 'placid' then
      return client
    end
  end
  return nil
end

local function request(buffer, method, params, done)
  local client = M.client(buffer)
  if not client then
    vim.notify('placid: no server for this buffer; see :checkhealth placid', vim.log.levels.WARN)
    return
  end
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local function answered(fault, result)
    done(fault and (fault.message or tostring(fault)), result)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answered, buffer)
  else
    client.request(method, params, answered, buffer)
  end
end

--- Builds the file of the current buffer, which is saved first. What tools refuse becomes diagnostics.
function M.build(arguments)
  local buffer = vim.api.nvim_get_current_buf()
  if vim.bo[buffer].modified then
    vim.cmd('silent write')
  end
  local words = vim.list_extend({ vim.uri_from_bufnr(buffer) }, arguments or {})
  request(buffer, 'workspace/executeCommand', { command = 'placid.build', arguments = words }, function(fault, result)
    local good = not fault and result.status == 'succeeded'
    local text = fault or vim.trim(result.message)
    if good then -- with where it stopped, and why, when that was before the last step
      text = vim.trim('placid: built ' .. result.built .. ' kernel(s)\n' .. text)
    end
    vim.notify(text, good and vim.log.levels.INFO or vim.log.levels.ERROR)
  end)
end

-- ---- views: read-only buffers beside the source, written anew after an edit

local views = {} -- by view buffer: { source, ask }

local function write(view, text)
  if not vim.api.nvim_buf_is_valid(view) then
    return
  end
  local lines = vim.split((text:gsub('\n$', '')), '\n', { plain = true })
  vim.bo[view].modifiable = true
  vim.api.nvim_buf_set_lines(view, 0, -1, false, lines)
  vim.bo[view].modifiable = false
end

local function refresh(view)
  local of = views[view]
  request(of.source, of.method, vim.deepcopy(of.params), function(fault, result)
    write(view, fault and ('// ' .. fault) or result.text)
  end)
end

local function open_view(name, filetype, method, params)
  local source = vim.api.nvim_get_current_buf()
  if views[source] then
    source = views[source].source
  end
  if not M.client(source) then
    request(source, method, params, function() end) -- says what is missing
    return nil
  end
  local title = 'placid://' .. vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ':t') .. '/' .. name
  local view = vim.fn.bufadd(title)
  vim.fn.bufload(view)
  vim.bo[view].buftype = 'nofile'
  vim.bo[view].bufhidden = 'wipe'
  vim.bo[view].swapfile = false
  vim.bo[view].filetype = filetype
  views[view] = { source = source, method = method, params = params }
  if vim.fn.bufwinid(view) == -1 then
    local before = vim.api.nvim_get_current_win()
    vim.cmd('rightbelow vertical sbuffer ' .. view)
    vim.api.nvim_set_current_win(before)
  end
  refresh(view)
  local group = vim.api.nvim_create_augroup('placid_view_' .. view, { clear = true })
  local waiting = false
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    group = group,
    buffer = source,
    callback = function()
      if waiting then
        return
      end
      waiting = true
      vim.defer_fn(function()
        waiting = false
        if views[view] and vim.api.nvim_buf_is_valid(view) then
          refresh(view)
        end
      end, 150)
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = view,
    callback = function()
      views[view] = nil
      pcall(vim.api.nvim_del_augroup_by_id, group)
    end,
  })
  return view
end

--- Shows the IR; `what` has `after` (a pass) or `emit = 'pto'`. Returns the view's buffer.
function M.show_ir(what)
  local after = what.after ~= '' and what.after or nil
  local name = what.emit == 'pto' and 'pto' or ('after ' .. (after or 'the last pass'))
  return open_view(name, what.emit == 'pto' and 'pto' or 'mlir', 'placid/ir', { after = after, emit = what.emit })
end

--- Shows the layout of the buffer's NZ tensors as text. Returns the view's buffer.
function M.show_layout()
  return open_view('layout', 'placid-layout', 'placid/picture', { format = 'text' })
end

--- Names of passes, for completion on the command line.
function M.passes(lead)
  local names = nil
  request(vim.api.nvim_get_current_buf(), 'placid/ir', {}, function(_, result)
    names = result and result.passes or {}
  end)
  vim.wait(2000, function()
    return names ~= nil
  end, 5)
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names or {})
end

--- Stops the server of the current buffer and starts one anew for all buffers that it had.
function M.restart()
  local buffer = vim.api.nvim_get_current_buf()
  local client = M.client(buffer)
  local buffers = { buffer }
  if client then
    buffers = vim.tbl_filter(function(one)
      return vim.api.nvim_buf_is_loaded(one) and vim.lsp.buf_is_attached(one, client.id)
    end, vim.api.nvim_list_bufs())
    if clients[client.config.root_dir] == client.id then
      clients[client.config.root_dir] = nil
    end
    if vim.fn.has('nvim-0.11') == 1 then
      client:stop()
    else
      client.stop()
    end
    vim.wait(3000, function()
      return client.is_stopped and client.is_stopped()
    end, 10)
  end
  if M.has_native_config() then
    vim.lsp.enable('placid', false)
    vim.lsp.enable('placid', true)
  else
    for _, one in ipairs(buffers) do
      M.attach(one)
    end
  end
end

return M
