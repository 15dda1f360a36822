import type { ComponentChildren, JSX } from 'preact'

interface ScrolledProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

/** A part that scrolls by itself: it takes the focus, so that the keyboard can scroll it. */
export const Scrolled = ({ label, class: kind, children }: ScrolledProps): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
  <section class={kind} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
