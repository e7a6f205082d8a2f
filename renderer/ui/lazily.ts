// Code that comes when it is first shown; until then the window is not at rest.
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { begin } from '../state/idle.ts'

export const lazily = <P>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(() => {
    const done = begin('code')
    return load().finally(done)
  })
