// What this is, which versions run, and the licences of what is built in.
import { useEffect, useState, type JSX } from 'react'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Dialog } from '../../ui/controls.tsx'
import './dialogs.css'

export default function About({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const versions = useWorkbench(s => s.start?.versions) ?? {}
  const notices = useNotices()
  return (
    <Dialog title={say('command.about')} width={760} testId="about" onClose={onClose}>
      <p>{say('about.what')}</p>
      <dl className="about-versions">
        {Object.entries(versions).map(([name, version]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{version}</dd>
          </div>
        ))}
      </dl>
      <h3 className="section-title">{say('about.notices')}</h3>
      <pre className="about-notices" tabIndex={0} aria-label={say('about.notices')}>
        {notices}
      </pre>
    </Dialog>
  )
}

/** Written beside the page by its build. */
function useNotices(): string {
  const [text, setText] = useState('')
  useEffect(() => {
    let wanted = true
    void fetch('notices.txt')
      .then(answer => (answer.ok ? answer.text() : ''))
      .then(found => {
        if (wanted) setText(found)
      })
    return () => {
      wanted = false
    }
  }, [])
  return text
}
