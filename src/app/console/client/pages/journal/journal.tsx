import type { JSX } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { durationText, timeOfDay } from '../../format.ts'
import { Icon } from '../../icons.tsx'
import { Method, Status } from '../../parts/code.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { Empty, Loading, Notes, Page } from '../../parts/page.tsx'
import { useAction } from '../../resource.ts'
import { Details } from './details.tsx'
import { type Filter, NO_FILTER, queryOf, type Summary } from './entry.ts'
import { useEntries } from './follow.ts'

/** Requests, outgoing calls and streams as they come. */
export function Journal({ id }: { id?: string }): JSX.Element {
  const { query } = useLocation()
  const [filter, setFilter] = useState<Filter>(() => ({ ...NO_FILTER, ...pickedFrom(query) }))
  const [isLive, setLive] = useState(true)
  const [turn, setTurn] = useState(0)
  const { entries, error, hasMore, more } = useEntries(filter, isLive, turn)
  const clear = useAction(async () => {
    await call('DELETE', '/journal')
    setTurn((before) => before + 1)
    return undefined
  })
  return (
    <Page
      title="Journal"
      about="Every request, outgoing call and stream of this process, the newest first. Secrets are masked."
      actions={
        <>
          <button type="button" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
            <Icon name={isLive ? 'pause' : 'play'} />
            {isLive ? 'Pause' : 'Follow'}
          </button>
          <a
            class="button"
            href={`/admin/v1/journal/export?${queryOf(filter, { format: 'har' })}`}
            target="_self"
            download="plaza.har"
          >
            Export as HAR
          </a>
          <button type="button" class="danger" disabled={clear.isRunning} onClick={() => void clear.run()}>
            <Icon name="trash" />
            Clear
          </button>
        </>
      }
    >
      <Filters filter={filter} onFilter={setFilter} />
      <Notes error={error ?? clear.error} />
      <div class="inspector" data-open={id !== undefined}>
        <section class="card flush" aria-label="Entries">
          {entries ? <Entries entries={entries} open={id} /> : !error && <Loading />}
          {hasMore && (
            <p class="center">
              <button type="button" onClick={more}>
                Older entries
              </button>
            </p>
          )}
        </section>
        {id !== undefined && (
          <div class="grow">
            <p class="only-small">
              <a href="/journal">All entries</a>
            </p>
            <Details key={id} id={id} />
          </div>
        )}
      </div>
    </Page>
  )
}

const pickedFrom = (query: Readonly<Record<string, string>>): Partial<Filter> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name in NO_FILTER))

function Filters({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }): JSX.Element {
  const change = (name: keyof Filter) => (value: string) => onFilter({ ...filter, [name]: value })
  return (
    <search class="filters">
      <Field
        label="Search"
        bare
        type="search"
        placeholder="Text in URL, headers, body or error"
        value={filter.text}
        onValue={change('text')}
        maxLength={200}
      />
      <Choice
        label="Kind"
        bare
        value={filter.kind}
        onValue={change('kind')}
        options={[
          ['', 'Every kind'],
          ['request', 'Requests'],
          ['outgoing', 'Outgoing calls'],
          ['stream', 'Streams'],
        ]}
      />
      <Choice
        label="Listener"
        bare
        value={filter.host}
        onValue={change('host')}
        options={[['', 'Every listener'], 'core', 'ads', 'sandbox']}
      />
      <Choice
        label="Status"
        bare
        value={filter.status}
        onValue={change('status')}
        options={[
          ['', 'Every status'],
          ['2xx', '2xx'],
          ['3xx', '3xx'],
          ['4xx', '4xx'],
          ['401', '401'],
          ['403', '403'],
          ['404', '404'],
          ['429', '429'],
          ['5xx', '5xx'],
        ]}
      />
    </search>
  )
}

interface EntriesProps {
  readonly entries: readonly Summary[]
  readonly open: string | undefined
}

function Entries({ entries, open }: EntriesProps): JSX.Element {
  const list = useCallback((element: HTMLElement | null) => {
    // The list keeps its place; the open entry is shown once.
    element?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  if (entries.length === 0) return <Empty>No entry matches. Requests appear here as they come.</Empty>
  return (
    <ol class="entries" ref={list}>
      {entries.map((entry) => (
        <li key={entry.sequence}>
          <a
            href={`/journal/${encodeURIComponent(entry.id)}`}
            {...(entry.id === open && { 'aria-current': 'true' as const })}
          >
            <Status of={entry.status} />
            <Method of={entry.method} />
            <span class="url">{entry.url.replace(/^https?:\/\//, '')}</span>
            <span class="quiet kind">{kindOf(entry)}</span>
            <span class="quiet number">{durationText(entry.duration_ms)}</span>
            <time class="quiet" dateTime={entry.time}>
              {timeOfDay(entry.time)}
            </time>
          </a>
        </li>
      ))}
    </ol>
  )
}

const kindOf = ({ kind, host, stream }: Summary): string =>
  kind === 'outgoing' ? 'outgoing' : stream ? `stream, ${stream.lines} lines` : (host ?? '')
