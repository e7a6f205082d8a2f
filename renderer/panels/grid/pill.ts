// The one cell that is more than text: a word with a shape around it.
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'

export class Pill implements ICellRendererComp {
  readonly #span = document.createElement('span')

  init(params: ICellRendererParams): void {
    this.refresh(params)
  }
  getGui(): HTMLElement {
    return this.#span
  }

  refresh({ value }: ICellRendererParams): boolean {
    this.#span.textContent = typeof value === 'string' ? value : ''
    return true
  }
}
