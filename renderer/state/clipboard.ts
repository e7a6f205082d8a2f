// Copying with a word that it happened.
import { host } from './host.ts'
import { notify } from './workbench.ts'

export async function copyText(text: string): Promise<void> {
  await host().copy({ text })
  notify('copied')
}
