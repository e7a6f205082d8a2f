// What main sends to a page that is just being replaced costs nothing.
import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'

vi.mock('electron', () => ({ app: {}, Menu: {}, nativeTheme: {}, screen: {}, BrowserWindow: {} }))
const { tell, toPage } = await import('../../main/window.ts')

const windowThat = (
  send: () => void,
  state: { destroyed?: boolean; crashed?: boolean } = {},
): BrowserWindow =>
  ({
    isDestroyed: () => state.destroyed ?? false,
    webContents: { send, isDestroyed: () => false, isCrashed: () => state.crashed ?? false },
  }) as unknown as BrowserWindow

test('a page between two lives is sent nothing, and main goes on', () => {
  const sent = vi.fn<() => void>()
  tell(windowThat(sent), { is: 'command', id: 'find' })
  expect(sent).toHaveBeenCalledTimes(1)
  tell(windowThat(sent, { destroyed: true }), { is: 'command', id: 'find' })
  tell(windowThat(sent, { crashed: true }), { is: 'command', id: 'find' })
  expect(sent).toHaveBeenCalledTimes(1)
  const disposed = (): never => {
    throw new Error('Render frame was disposed before WebFrameMain could be accessed')
  }
  tell(windowThat(disposed), { is: 'command', id: 'find' })
})

test('another fault is not swallowed', () => {
  expect(() =>
    toPage(
      windowThat(() => {}),
      () => {
        throw new Error('something else')
      },
    ),
  ).toThrow('something else')
})
