// Copying with a word that it happened.
import { host } from './host.ts'
import { notify } from './workbench.ts'

export async function copyText(text: string, what = 1): Promise<void> {
  await host().copy({ text })
  notify('copied', { count: what })
}
