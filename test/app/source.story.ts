// From a stack to the line in the user's editor, on another machine than the one that made the dump.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { expect, scratch, test, usualPair } from '../support/app.ts'
import { names } from '../support/names.ts'

test('a line of source is opened in the editor that was agreed to, or its place is copied', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const copied = (): Promise<string> => app.electron.evaluate(({ clipboard }) => clipboard.readText())
  await app.page.evaluate(() => window.plumbline.run('tab-stack'))
  await app.idle()
  const open = app.id(names.inspector).getByTestId('open-source').first()
  await open.click()
  await app.idle()
  await expect(app.id('notice')).toContainText('is not on this machine')
  const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(await copied()) ?? []
  expect(file).toMatch(/\.py$/)

  const folder = scratch()
  const [script, told] = [path.join(folder, 'editor.mjs'), path.join(folder, 'told')]
  writeFileSync(
    script,
    `import fs from 'node:fs'\nfs.writeFileSync('${told}', process.argv.slice(2).join('\\n'))\n`,
  )
  const here = path.join(folder, 'sources', path.basename(file))
  mkdirSync(path.dirname(here))
  writeFileSync(here, '')

  await app.page.evaluate(() => window.plumbline.run('settings'))
  const command = app.page.getByLabel(say('en', 'settings.editor'), { exact: true })
  const answer = (response: number): Promise<void> =>
    app.electron.evaluate(({ dialog }, button) => {
      dialog.showMessageBox = async () => ({ response: button, checkboxChecked: false })
    }, response)
  await answer(1)
  await command.fill(`"${process.execPath}" "${script}" {file} {line}`)
  await command.blur()
  await expect(command).toHaveValue('code -g {file}:{line}')
  await answer(0)
  await command.fill(`"${process.execPath}" "${script}" {file} {line}`)
  await command.blur()
  await app.page.getByLabel(say('en', 'settings.folder-from')).fill(path.dirname(file))
  await app.page.getByLabel(say('en', 'settings.folder-to')).fill(path.dirname(here))
  await app.press('Escape')
  await open.click()
  await expect.poll(() => (existsSync(told) ? readFileSync(told, 'utf8') : '')).toBe(`${here}\n${line}`)
})
