import type { JSX } from 'preact'

/** Shapes on a grid of 24, drawn with lines. */
const SHAPES = {
  overview: 'M4 20V11M10 20V4M16 20v-6M22 20H2',
  journal: 'M4 5h16M4 10h16M4 15h10M4 20h7',
  explorer: 'M4 17l6-5-6-5M12 19h8',
  data: 'M4 6c0-2 16-2 16 0v12c0 2-16 2-16 0V6c0 2 16 2 16 0M4 12c0 2 16 2 16 0',
  streams: 'M4 12a8 8 0 0 1 8-8M4 12a8 8 0 0 0 8 8M8 12a4 4 0 0 1 4-4M8 12a4 4 0 0 0 4 4M12 12h8',
  webhooks: 'M9 8a3 3 0 1 1 4 3l-3 6M14 15h4a3 3 0 1 1-3 4M10 13a3 3 0 1 0 0 6h5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3',
  faults: 'M13 2L4 14h7l-1 8 9-12h-7l1-8',
  snapshots: 'M4 8h3l2-3h6l2 3h3v11H4V8M12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7',
  reference: 'M5 4h10a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4V4M9 9h6M9 13h6',
  signature: 'M3 17c3 0 4-10 7-10s-2 11 1 11 3-6 5-6 0 5 5 5M3 21h18',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20 14a8 8 0 1 1-9-11 7 7 0 0 0 9 11',
  system: 'M3 5h18v11H3V5M9 20h6M12 16v4',
  copy: 'M9 9h11v11H9V9M5 15H4V4h11v1',
  check: 'M4 13l5 5L20 6',
  play: 'M7 4l12 8-12 8V4',
  pause: 'M8 5v14M16 5v14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  reply: 'M20 15a3 3 0 0 1-3 3H9l-5 4V6a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v9',
  repost: 'M4 9l3-3 3 3M7 6v9a3 3 0 0 0 3 3h3M20 15l-3 3-3-3M17 18V9a3 3 0 0 0-3-3h-3',
  like: 'M12 20S4 15 4 9a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 6-8 11-8 11',
  view: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  next: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  leave: 'M10 4H4v16h6M9 12h12M17 8l4 4-4 4',
  send: 'M4 12l16-8-6 16-3-7-7-1',
  more: 'M12 5v14M5 12h14',
} as const

export type IconName = keyof typeof SHAPES

/** A picture beside a text, or in a button with a label: it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  )
}
