// What everything drawn on a canvas begins with: the theme's colours, sharp pixels, the room there is.
import { useEffect, useState, type RefObject } from 'react'
import { useWorkbench } from '../state/workbench.ts'

/** A colour or font of the theme. */
export const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** From nothing to the worst. */
export const ramp = (): readonly string[] => [0, 1, 2, 3, 4, 5].map(i => token(`--s${i}`))

/** What changes all colours at once. */
export const useTheme = (): string =>
  useWorkbench(s => `${s.dark}${s.settings?.safeColours}${s.settings?.density}`)

/** An empty canvas of so many points, with the pixels that the screen has for them. */
export function sharpened(
  canvas: HTMLCanvasElement,
  width = canvas.clientWidth,
  height = canvas.clientHeight,
): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d')
  if (!context) return null
  canvas.width = Math.round(width * devicePixelRatio)
  canvas.height = Math.round(height * devicePixelRatio)
  context.scale(devicePixelRatio, devicePixelRatio)
  return context
}

/** How wide an element is; 0 before it is known. */
export function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!of.current) return undefined
    const measured = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    measured.observe(of.current)
    return () => measured.disconnect()
  }, [of])
  return width
}
