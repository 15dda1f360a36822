import type { ComponentChildren, JSX } from 'preact'
import { Page } from '../../parts/page.tsx'

const PARTS = [
  ['/data/users', 'Users'],
  ['/data/apps', 'Apps'],
  ['/data/accounts', 'Advertising'],
  ['/data/news', 'News'],
  ['/data/communities', 'Communities'],
  ['/data/spaces', 'Spaces'],
  ['/data/notes', 'Notes'],
] as const

interface DataPageProps {
  readonly title: string
  readonly about?: string
  /** The path of its part. */
  readonly open: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page about what is stored, with links to the other parts. */
export const DataPage = ({ title, about, open, actions, children }: DataPageProps): JSX.Element => (
  <Page title={title} {...(about !== undefined && { about })} actions={actions}>
    <nav aria-label="Data" class="sub-nav">
      {PARTS.map(([path, text]) => (
        <a key={path} class="pill" href={path} {...(path === open && { 'aria-current': 'page' as const })}>
          {text}
        </a>
      ))}
    </nav>
    {children}
  </Page>
)
