import type { JSX } from 'preact'
import { useLocation } from 'preact-iso'
import { Icon, type IconName } from './icons.tsx'

interface Entry {
  readonly path: string
  readonly text: string
  readonly icon: IconName
  /** Whether the server answers with another page. */
  readonly isOutside?: boolean
}

/** The pages, by what they are for. */
const AREAS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: 'See',
    entries: [
      { path: '/', text: 'Overview', icon: 'overview' },
      { path: '/journal', text: 'Journal', icon: 'journal' },
      { path: '/data', text: 'Data', icon: 'data' },
      { path: '/streams', text: 'Streams and rules', icon: 'streams' },
      { path: '/webhooks', text: 'Webhooks', icon: 'webhooks' },
    ],
  },
  {
    title: 'Call',
    entries: [
      { path: '/explorer', text: 'Explorer', icon: 'explorer' },
      { path: '/signature', text: 'Signature checker', icon: 'signature' },
      { path: '/reference', text: 'Reference', icon: 'reference', isOutside: true },
    ],
  },
  {
    title: 'Steer',
    entries: [
      { path: '/clock', text: 'Clock', icon: 'clock' },
      { path: '/faults', text: 'Faults', icon: 'faults' },
      { path: '/snapshots', text: 'Snapshots', icon: 'snapshots' },
    ],
  },
]

const isWithin = (path: string, of: string) =>
  of === '/' ? path === '/' : path === of || path.startsWith(`${of}/`)

/** The list of pages. `onGo` is called when one is chosen. */
export function Navigation({ onGo }: { onGo?: () => void }): JSX.Element {
  const { path } = useLocation()
  return (
    <nav aria-label="Console">
      {AREAS.map(({ title, entries }) => (
        <div key={title} class="nav-area">
          <h2>{title}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <a
                  href={entry.path}
                  {...(entry.isOutside && { target: '_self' })}
                  {...(isWithin(path, entry.path) && { 'aria-current': 'page' as const })}
                  onClick={onGo}
                >
                  <Icon name={entry.icon} />
                  {entry.text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
