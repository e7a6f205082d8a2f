// A screen to draw on: the user's own, or a virtual one under Xvfb.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/** Starts Xvfb on a free number and sets DISPLAY; returns how to stop it. */
export async function virtualDisplay(size = '2560x1440') {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const failed = once(server, 'exit').then(([code]) => {
    throw new Error(`Xvfb ended with code ${code}`)
  })
  const [number] = await Promise.race([once(server.stdio[3], 'data'), failed])
  failed.catch(() => {})
  process.env.DISPLAY = `:${String(number).trim()}`
  delete process.env.WAYLAND_DISPLAY
  const stop = () => {
    server.kill()
  }
  process.once('exit', stop)
  return () => {
    process.off('exit', stop)
    stop()
    delete process.env.DISPLAY
  }
}
