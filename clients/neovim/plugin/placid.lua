-- SPDX-License-Identifier: Apache-2.0
-- Commands of the placid plugin. Nothing starts here: `require('placid').setup{}` does, or the first command.
if vim.g.loaded_placid then
  return
end
vim.g.loaded_placid = true

local function placid()
  return require('placid')
end

vim.api.nvim_create_user_command('PlacidIr', function(command)
  placid().show_ir({ after = command.args })
end, {
  nargs = '?',
  desc = 'IR of this buffer after a pass (without one: after the last)',
  complete = function(lead)
    return placid().passes(lead)
  end,
})
vim.api.nvim_create_user_command('PlacidPto', function()
  placid().show_ir({ emit = 'pto' })
end, { desc = 'PTO IR of this buffer' })
vim.api.nvim_create_user_command('PlacidLayout', function()
  placid().show_layout()
end, { desc = 'How the NZ tensors of this buffer lie in memory' })
vim.api.nvim_create_user_command('PlacidBuild', function(command)
  placid().build(command.fargs)
end, { nargs = '*', desc = 'Build the kernels of this file: --until=STAGE, --toolchain=NAME, --out=DIR' })
vim.api.nvim_create_user_command('PlacidRestart', function()
  placid().restart()
end, { desc = 'Restart the placid server' })
vim.api.nvim_create_user_command('PlacidLog', function()
  vim.cmd('tabnew ' .. vim.fn.fnameescape(vim.lsp.get_log_path()))
end, { desc = 'Log of the language client' })
