// Copying with a word that it happened.
import { host } from './host.ts'
import { notify } from './workbench.ts'

export async function copyText(text: string): Promise<void> {
  await host().copy({ text })
  notify('copied')
}

export async function copyCanvas(canvas: HTMLCanvasElement): Promise<void> {
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  if (!blob) return
  await host().copyPicture({ png: new Uint8Array(await blob.arrayBuffer()) })
  notify('copied')
}
