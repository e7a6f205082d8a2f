// Lines of source in the user's editor: where a file lies on this machine, and that nothing but the editor starts.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { editorCall, localPath, openSource } from '../../main/editor.ts'

const folders = [
  { from: '/remote/train', to: '/mine/all' },
  { from: '/remote/train/model', to: '/mine/model' },
]

test.each([
  ['/remote/train/run.py', '/mine/all/run.py'],
  ['/remote/train/model/net.py', '/mine/model/net.py'],
  ['/remote/training/run.py', '/remote/training/run.py'],
  ['/elsewhere/a.py', '/elsewhere/a.py'],
])('%s lies at %s', (file, here) => {
  expect(localPath(file, folders)).toBe(path.normalize(here))
})

test('file and line are filled in once, as they are', () => {
  expect(editorCall(['code', '-g', '{file}:{line}'], '/a/{line} $(x).py', 7)).toEqual([
    'code',
    '-g',
    '/a/{line} $(x).py:7',
  ])
})

const scratch = mkdtempSync(path.join(tmpdir(), 'plumbline-editor-'))
const [script, told] = [path.join(scratch, 'editor.mjs'), path.join(scratch, 'told.json')]
writeFileSync(
  script,
  `import { renameSync, writeFileSync } from 'node:fs'
writeFileSync('${told}.part', JSON.stringify(process.argv.slice(2)))
renameSync('${told}.part', '${told}')\n`,
)
const command = [process.execPath, script, '{file}', '{line}']

test('a file that is here is opened by the editor, one that is not is named', async () => {
  const file = path.join(scratch, 'a b; touch evil.py')
  writeFileSync(file, '')
  expect(
    await openSource({ command, folders: [{ from: '/remote', to: scratch }] }, at('/remote/none.py')),
  ).toEqual({ is: 'not-here', path: path.join(scratch, 'none.py') })
  expect(existsSync(told)).toBe(false)
  expect(await openSource({ command, folders: [] }, at(file))).toEqual({ is: 'opened' })
  await vi.waitFor(() => expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual([file, '12']), {
    timeout: 20_000,
  })
})

test('folders and relative paths are never opened, and a missing editor is said to be missing', async () => {
  for (const file of [scratch, 'package.json'])
    expect(await openSource({ command, folders: [] }, at(file))).toEqual({ is: 'not-here', path: file })
  const program = path.join(scratch, 'no-such-editor')
  expect(await openSource({ command: [program], folders: [] }, at(script))).toEqual({
    is: 'no-editor',
    program,
  })
})

const at = (file: string): { file: string; line: number } => ({ file, line: 12 })
