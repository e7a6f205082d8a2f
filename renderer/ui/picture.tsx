// A plot or picture that can be copied: as PNG, as SVG and as the numbers that it shows.
import { useRef, type JSX, type ReactNode } from 'react'
import { copyCanvas, copyText } from '../state/clipboard.ts'
import { useSay } from '../state/words.ts'
import { MenuButton } from './controls.tsx'

export function Picture({
  name,
  className = '',
  aside,
  caption,
  children,
  svg,
  data,
}: {
  /** What is shown, for people who hear it. */
  readonly name: string
  readonly className?: string
  readonly aside?: ReactNode
  readonly caption?: ReactNode
  readonly children: ReactNode
  svg(canvas: HTMLCanvasElement): string
  /** Columns with tabs between them. */
  data(): string
}): JSX.Element {
  const say = useSay()
  const figure = useRef<HTMLElement>(null)
  const canvas = (): HTMLCanvasElement | null => figure.current?.querySelector('canvas') ?? null
  const withCanvas = (act: (of: HTMLCanvasElement) => Promise<void>) => (): void => {
    const found = canvas()
    if (found) void act(found)
  }
  return (
    <figure ref={figure} className={`picture ${className}`}>
      <div className="row picture-tools">
        {aside}
        <span className="grow" />
        <MenuButton
          label={say('picture.copy', { name })}
          className="button quiet small icon"
          icon="copy"
          testId="copy-picture"
          entries={[
            { id: 'png', text: say('picture.png'), run: withCanvas(copyCanvas) },
            { id: 'svg', text: say('picture.svg'), run: withCanvas(of => copyText(svg(of))) },
            { id: 'data', text: say('picture.data'), run: () => void copyText(data()) },
          ]}
        />
      </div>
      {children}
      {caption ? <figcaption className="row small faint num">{caption}</figcaption> : null}
    </figure>
  )
}
