// Panes beside or below each other, with edges that can be dragged; each keeps its share between starts.
import { Suspense, type JSX, type ReactNode } from 'react'
import { Group, Panel } from 'react-resizable-panels'
import { resizeGroup } from '../state/settings.ts'
import { now, set, useWorkbench } from '../state/workbench.ts'
import { Divider } from './bits.tsx'
import { Broken, Guard, Skeleton } from './states.tsx'

export interface PaneRow {
  readonly id: string
  readonly size?: string
  readonly min: string
  /** Keeps its width in pixels when the window grows. */
  readonly fixed?: boolean
  readonly name?: string
  readonly show: ReactNode
}

export function Panes({
  id,
  orientation,
  panes,
}: {
  readonly id: string
  readonly orientation: 'horizontal' | 'vertical'
  readonly panes: readonly PaneRow[]
}): JSX.Element {
  const key = `${id}:${panes.map(p => p.id).join(',')}`
  const kept = useWorkbench(s => s.layout.sizes[key])
  return (
    <Group
      key={key}
      className="panes"
      orientation={orientation}
      {...(kept ? { defaultLayout: { ...kept } } : {})}
      onLayoutChanged={sizes => {
        if (JSON.stringify(now().layout.sizes[key]) !== JSON.stringify(sizes)) resizeGroup(key, { ...sizes })
      }}
    >
      {panes.flatMap((pane, i) => [
        i > 0 ? (
          <Divider key={`before-${pane.id}`} direction={orientation === 'horizontal' ? 'across' : 'down'} />
        ) : null,
        <Panel
          key={pane.id}
          id={pane.id}
          minSize={pane.min}
          {...(pane.size ? { defaultSize: pane.size } : {})}
          groupResizeBehavior={pane.fixed ? 'preserve-pixel-size' : 'preserve-relative-size'}
          className="pane-holder"
        >
          {pane.name ? (
            <PaneBox id={pane.id} name={pane.name}>
              {pane.show}
            </PaneBox>
          ) : (
            pane.show
          )}
        </Panel>,
      ])}
    </Group>
  )
}

function PaneBox({
  id,
  name,
  children,
}: {
  readonly id: string
  readonly name: string
  readonly children: ReactNode
}): JSX.Element {
  const focus = (): void => {
    if (now().focus !== id) set({ focus: id })
  }
  return (
    <section
      className={`pane pane-${id}`}
      data-pane={id}
      aria-label={name}
      onFocusCapture={focus}
      onPointerDownCapture={focus}
    >
      <Guard name={id} renderBroken={again => <Broken again={again} />}>
        <Suspense fallback={<Skeleton />}>{children}</Suspense>
      </Guard>
    </section>
  )
}
