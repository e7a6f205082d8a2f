// The gallery: without a question mark a page of all states, each in a frame of its own; with ?state=name
// that state alone.
import { createRoot } from 'react-dom/client'
import type { Settings } from '../../preload/contract/host.ts'
import { App } from '../../renderer/app.tsx'
import { attachEngine, onEngineEvent } from '../../renderer/engine.ts'
import { offerToTests } from '../../renderer/probe.ts'
import { run } from '../../renderer/state/commands.ts'
import { setHost } from '../../renderer/state/host.ts'
import { idle } from '../../renderer/state/idle.ts'
import { select } from '../../renderer/state/selection.ts'
import { openPaths, startWindow } from '../../renderer/state/sessions.ts'
import { fakeEngine } from './fake-engine.ts'
import { fakeHost } from './fake-host.ts'
import { plainSize, states, type State } from './states.ts'

const root = createRoot(document.getElementById('root')!)
const asked = new URLSearchParams(location.search)
const name = asked.get('state')
const state = name === null ? undefined : states[name]
if (state) {
  await show(state)
  document.documentElement.dataset['ready'] = 'yes'
} else root.render(<All />)

function All() {
  return (
    <main
      style={{
        padding: 24,
        font: '13px system-ui',
        overflow: 'auto',
        height: '100%',
        boxSizing: 'border-box',
      }}
    >
      {Object.entries(states).map(([id, { title, width = plainSize.width, height = plainSize.height }]) => (
        <section key={id} style={{ marginBottom: 32 }}>
          <h2 style={{ font: '600 15px system-ui' }}>
            <a href={`?state=${id}`}>{title}</a>
          </h2>
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of our own */}
          <iframe
            data-gallery={id}
            title={title}
            loading="lazy"
            src={`?state=${id}`}
            style={{ width, height, border: '1px solid #8884' }}
          />
        </section>
      ))}
    </main>
  )
}

async function show({ model, mood = 'fine', settings, closed, acts = [], selected }: State): Promise<void> {
  const override: Partial<Settings> = {}
  for (const key of ['theme', 'language'] as const) {
    const value = asked.get(key)
    if (value) Object.assign(override, { [key]: value })
  }
  setHost(fakeHost({ theme: 'light', language: 'en', ...settings, ...override }, {}))
  offerToTests()
  await startWindow()
  root.render(<App />)
  attachEngine(fakeEngine(model ?? {}, mood, onEngineEvent))
  if (closed) return
  await openPaths(['/data/npu_dump', '/data/gpu_dump'])
  if (selected) select({ debug: selected }, 'keys')
  if (mood !== 'slow') await idle()
  for (const command of acts) {
    run(command)
    if (mood !== 'slow') await idle()
  }
}
