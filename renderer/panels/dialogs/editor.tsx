// Settings of the editor that shows lines of source: its command, and where folders of other machines lie here.
import { useState, type JSX } from 'react'
import type { EditorSettings } from '../../../preload/contract/host.ts'
import { changeEditor, changeSettings } from '../../state/settings.ts'
import { typedAs, wordsOf } from '../../state/source.ts'
import { useSay } from '../../state/words.ts'
import { Button } from '../../ui/controls.tsx'

type Folder = EditorSettings['folders'][number]
const blank: Folder = { from: '', to: '' }

export function EditorRows({ editor }: { readonly editor: EditorSettings }): JSX.Element {
  const say = useSay()
  const [folders, setFolders] = useState<readonly Folder[]>(
    editor.folders.length > 0 ? editor.folders : [blank],
  )
  const keep = (next: readonly Folder[]): void => {
    setFolders(next)
    void changeSettings({ folders: next.filter(({ from, to }) => from !== '' && to !== '') })
  }
  return (
    <>
      <Command command={editor.command} />
      <div className="settings-row editor-folders" role="group" aria-label={say('settings.folders')}>
        <span title={say('settings.folders.what')}>{say('settings.folders')}</span>
        <span className="column grow">
          {folders.map((folder, i) => (
            <FolderRow key={i} folder={folder} onChange={changed => keep(folders.with(i, changed))} />
          ))}
          <span>
            <Button small look="quiet" icon="plus" onPress={() => setFolders([...folders, blank])}>
              {say('settings.add-folder')}
            </Button>
          </span>
        </span>
      </div>
    </>
  )
}

/** What runs is taken over when the field is left, and only if the user agrees to the program. */
function Command({ command }: { readonly command: EditorSettings['command'] }): JSX.Element {
  const say = useSay()
  const [text, setText] = useState(typedAs(command))
  const take = async (): Promise<void> => setText(typedAs(await changeEditor(wordsOf(text))))
  return (
    <label className="settings-row">
      <span>{say('settings.editor')}</span>
      <input
        className="field mono grow"
        value={text}
        spellCheck={false}
        title={say('settings.editor.what', { file: '{file}', line: '{line}' })}
        onChange={e => setText(e.target.value)}
        onBlur={() => {
          if (text !== typedAs(command)) void take()
        }}
      />
    </label>
  )
}

function FolderRow({
  folder,
  onChange,
}: {
  readonly folder: Folder
  onChange(folder: Folder): void
}): JSX.Element {
  const say = useSay()
  return (
    <span className="row">
      {(['from', 'to'] as const).map(end => (
        <input
          key={end}
          className="field mono small grow"
          value={folder[end]}
          spellCheck={false}
          aria-label={say(`settings.folder-${end}`)}
          placeholder={say(`settings.folder-${end}`)}
          onChange={e => onChange({ ...folder, [end]: e.target.value })}
        />
      ))}
    </span>
  )
}
