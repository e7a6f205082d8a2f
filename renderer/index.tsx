// Starts the window: bridge, engine line, first picture.
import { createRoot } from 'react-dom/client'
import type { Bridge } from '../preload/contract/host.ts'
import { App } from './app.tsx'
import { listenForEngine } from './engine.ts'
import { offerToTests } from './probe.ts'
import { host, setHost } from './state/host.ts'
import { startHistory } from './state/history.ts'
import { startOverall } from './state/overall.ts'
import { startWindow } from './state/sessions.ts'

declare global {
  interface Window {
    readonly host: Bridge
  }
}

setHost(window.host)
listenForEngine()
offerToTests()
const reportFault = (error: unknown): void => {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' }
  void host().report({ message: message.slice(0, 4000), stack: (stack ?? '').slice(0, 20_000) })
}
window.addEventListener('error', event => reportFault(event.error ?? event.message))
window.addEventListener('unhandledrejection', event => reportFault(event.reason))

const root = document.getElementById('root')
if (root) {
  startOverall()
  startHistory()
  await startWindow()
  createRoot(root).render(<App />)
  void host().connectEngine()
  // Mapping files may be dropped before their panel was ever opened.
  void import('./state/mapping.ts')
}
