// Line icons on a 16-pixel grid, drawn with the text's colour. They carry no meaning alone: names come from
// the elements around them.
import type { JSX } from 'react'

const paths = {
  plumb:
    'M8 1v8M5.5 6.5 8 3.2l2.5 3.3M8 9c1.6 0 2.4 1 2.4 2 0 1.5-2.4 4-2.4 4s-2.4-2.5-2.4-4c0-1 .8-2 2.4-2Z',
  advisor: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 8.01V8',
  nodes: 'M3 4h10M3 8h10M3 12h10',
  mapping: 'M2.5 5.5h9m-2.5-3 3 3-3 3M13.5 10.5h-9m2.5-3-3 3 3 3',
  ranks: 'M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11M2.5 6.2h11M2.5 9.8h11',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 1.8v1.7M8 12.5v1.7M1.8 8h1.7M12.5 8h1.7M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2',
  swap: 'M2 5.5h11m-2.5-2.5L13 5.5 10.5 8M14 10.5H3M5.5 8 3 10.5 5.5 13',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 14 14',
  down: 'm4 6 4 4 4-4',
  up: 'm4 10 4-4 4 4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  close: 'm4 4 8 8m0-8-8 8',
  check: 'm3 8.5 3.2 3L13 4.5',
  alert: 'M8 2 1.5 13.5h13L8 2ZM8 6.5v3.5M8 12.010V12',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5v3.5M8 5.010V5',
  folder: 'M1.8 12.5v-9h4l1.5 2h6.900v7z',
  file: 'M3.5 1.800h5.5l3.5 3.5v8.900h-9zM9 1.800v3.5h3.5',
  download: 'M8 2v8m-3-3 3 3 3-3M2.5 13.5h11',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  wide: 'M2 8h12M5 5 2 8l3 3M11 5l3 3-3 3',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  open: 'M4 6l4 4 4-4M4 2.5h8',
  collapse: 'm4 10 4-4 4 4M4 13.5h8',
  flag: 'M4 14V2.5h8l-2 3 2 3H4',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  filter: 'M2 3h12L9.5 8.5V13l-3-1.5v-3z',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  unlink: 'M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7M3 3l10 10',
  map: 'M10.5 2.5h3v11h-3zM2.5 4h5M2.5 7h4M2.5 10h5M2.5 13h3',
  reload: 'M13 8a5 5 0 1 1-1.5-3.600M13.5 2v3h-3',
  code: 'M5.5 4 1.500 8l4 4M10.500 4l4 4-4 4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.400l1 1M11.6 11.600l1 1M12.6 3.400l-1 1M4.4 11.600l-1 1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  stop: 'M4 4h8v8H4z',
  pin: 'M9.5 2 14 6.5l-3 .7L8.5 9.7 8 12.5 3.5 8l2.8-.5L8.8 5zM5.5 10.5 2 14',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 9.800a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600Z',
  eyeOff:
    'M2 2l12 12M6.3 3.800C6.8 3.6 7.4 3.5 8 3.5c4 0 6.5 4.5 6.5 4.5a11 11 0 0 1-2 2.5M4 5.200A10.5 10.5 0 0 0 1.5 8S4 12.5 8 12.5c1 0 1.9-.3 2.7-.7',
  key: 'M1.5 4h13v8.5h-13zM4 6.5h.01M6.5 6.5h.01M9 6.5h.01M11.5 6.5h.01M5 9.800h6',
  camera: 'M1.8 5h3l1-1.800h4.400l1 1.800h3v8H1.800zM8 11.200a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600Z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.5V8l2.5 1.5',
  sample: 'M6 2v4.5L2.5 13a1 1 0 0 0 .9 1.200h9.200a1 1 0 0 0 .9-1.200L10 6.5V2M5 2h6M4.3 10h7.4',
  single: 'M2.5 3h11v10h-11z',
  pair: 'M2.5 3h4.700v10H2.5zM8.8 3h4.700v10H8.800z',
  tree: 'M2.5 2.5h11v11h-11zM5 5.5h6v5.500H5z',
  flow: 'M5.5 2.500h5v3h-5zM1.800 10.500h4.500v3H1.800zM9.700 10.500h4.500v3H9.700zM7 5.500 4.300 10.500M9 5.500l2.700 5',
  talk: 'M4 12.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM6 9.500l4-3M12.500 10l1.500 1.500-1.500 1.500M3.500 2.500 2 4l1.500 1.500',
  out: 'M6.500 3H3v10h10V9.500M9.500 2.500h4v4M13.500 2.500 7.500 8.500',
  note: 'M3 2.500h10v8L9.500 14H3zM5.500 5.500h5M5.500 8h3',
  arrow: 'M3 8h10m-3.5-3.5L13 8l-3.5 3.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      className="icon-svg"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
