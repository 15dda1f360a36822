import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  readonly title: string
  /** A sentence below the title. */
  readonly about?: ComponentChildren
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A page of the console: its title is that of the document, too. */
export function Page({ title, about, actions, children }: PageProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} – Plaza`
  }, [title])
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>{title}</h1>
          {about && <p class="quiet">{about}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: string
  readonly actions?: ComponentChildren
  readonly class?: string
  readonly children?: ComponentChildren
}

/** A part of a page, with a heading. */
export function Card({ title, actions, class: more = '', children }: CardProps): JSX.Element {
  return (
    <section class={`card ${more}`} aria-label={title}>
      {title && (
        <div class="card-head">
          <h2>{title}</h2>
          {actions && <div class="row">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** Says what happened, also to screen readers. */
export function Notes({ error, done }: { error?: string | undefined; done?: string | undefined }) {
  return (
    <>
      {error && (
        <p class="note bad" role="alert">
          {error}
        </p>
      )}
      <div role="status">{done && <p class="note good">{done}</p>}</div>
    </>
  )
}

/** What a list shows when it is empty. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

/** What a part shows until its data are there. */
export const Loading = () => (
  <p class="empty" role="status">
    Loading …
  </p>
)
