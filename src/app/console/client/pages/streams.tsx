import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, isAborted, lines, sentenceOf } from '../api.ts'
import { Icon } from '../icons.tsx'
import { useIdentities } from '../identities.ts'
import { Code } from '../parts/code.tsx'
import { Choice, Field, onSubmit } from '../parts/field.tsx'
import { Card, Empty, Loading, Notes, Page } from '../parts/page.tsx'
import { type Resource, useAction, useAdmin } from '../resource.ts'
import type { List } from './data/model.ts'

interface Rule {
  readonly id: string
  readonly stream: string
  readonly value: string
  readonly tag: string | null
}

const STREAMS = [
  ['posts', 'Filtered stream'],
  ['powerstream', 'Powerstream'],
  ['activity', 'Activity stream'],
] as const
const MAX_LINES = 100

/** Streams as apps receive them, and their rules. */
export function Streams(): JSX.Element {
  const { data: identities, error } = useIdentities()
  const [chosen, setChosen] = useState('')
  const apps = identities?.apps ?? []
  const app = chosen || apps[0]?.id
  return (
    <Page
      title="Streams and rules"
      about="What an app receives, as it comes, and which rule each post matches."
    >
      <Notes error={error} />
      {app ? (
        <>
          <div class="narrow-field">
            <Choice
              label="App"
              value={app}
              onValue={setChosen}
              options={apps.map(({ id, name }) => [id, name] as const)}
            />
          </div>
          <AppStreams key={app} app={app} />
        </>
      ) : identities ? (
        <Empty>There is no app yet.</Empty>
      ) : (
        !error && <Loading />
      )}
    </Page>
  )
}

/** What an app receives, beside the rules by which it does. */
function AppStreams({ app }: { app: string }): JSX.Element {
  const [stream, setStream] = useState('filtered')
  const rules = useAdmin<List<Rule>>(`/apps/${app}/stream_rules?stream=${stream}`)
  return (
    <div class="split">
      <Live app={app} rules={rules.data?.data ?? []} />
      <Rules app={app} stream={stream} onStream={setStream} rules={rules} />
    </div>
  )
}

interface Line {
  readonly number: number
  readonly text: string
}

function Live({ app, rules }: { app: string; rules: readonly Rule[] }): JSX.Element {
  const [stream, setStream] = useState<string>('posts')
  const [isOpen, setOpen] = useState(false)
  const [received, setReceived] = useState<readonly Line[]>([])
  const [error, setError] = useState<string | undefined>()
  useEffect(() => {
    if (!isOpen) return undefined
    const ended = new AbortController()
    const follow = async () => {
      let number = 0
      try {
        for await (const { data } of lines<{ data: { text: string } }>(
          `/explorer/streams/${stream}?app_id=${app}`,
          ended.signal,
        )) {
          const line = { number: number++, text: data.text }
          setReceived((before) => [line, ...before].slice(0, MAX_LINES))
        }
        if (!ended.signal.aborted) setError('The stream has ended.')
      } catch (problem) {
        if (!isAborted(problem)) setError(sentenceOf(problem))
      }
      setOpen(false)
    }
    setError(undefined)
    setReceived([])
    void follow()
    return () => ended.abort()
  }, [isOpen, stream, app])
  return (
    <Card
      title="Live"
      actions={
        <>
          <Choice label="Stream" bare value={stream} onValue={setStream} options={STREAMS} />
          <button type="button" class="primary" onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'pause' : 'play'} />
            {isOpen ? 'Close' : 'Open'}
          </button>
        </>
      }
    >
      <Notes error={error} />
      {isOpen && (
        <p class="quiet" role="status">
          The stream is open.{' '}
          {received.length === 0 ? 'Nothing has matched yet.' : `${received.length} received.`}
        </p>
      )}
      {received.length === 0 && !isOpen && (
        <Empty>
          The stream is closed. Open it: what is posted appears here, with the rules that it matches.
        </Empty>
      )}
      <ol class="stack">
        {received.map(({ number, text }) => (
          <li key={number} class="stack tight">
            <Why text={text} rules={rules} />
            <Code label={`Line ${number + 1}`} text={text} json />
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface Matching {
  readonly data?: { readonly text?: string; readonly event_type?: string }
  readonly matching_rules?: readonly { readonly id: string; readonly tag?: string }[]
}

/** Why a post was sent: the rules that it matches. */
function Why({ text, rules }: { text: string; rules: readonly Rule[] }): JSX.Element | null {
  let line: Matching
  try {
    line = JSON.parse(text) as Matching
  } catch {
    return null
  }
  return (
    <>
      {line.data?.text && <p class="post-text">{line.data.text}</p>}
      {line.data?.event_type && <p>{line.data.event_type}</p>}
      {line.matching_rules && line.matching_rules.length > 0 && (
        <p class="row">
          <span class="quiet">Matches</span>
          {line.matching_rules.map(({ id, tag }) => (
            <span key={id} class="row">
              <span class="badge info">{tag || id}</span>
              <code class="anywhere">{rules.find((rule) => rule.id === id)?.value}</code>
            </span>
          ))}
        </p>
      )}
    </>
  )
}

interface RulesProps {
  readonly app: string
  readonly stream: string
  readonly onStream: (stream: string) => void
  readonly rules: Resource<List<Rule>>
}

function Rules({ app, stream, onStream, rules: { data, error, reload } }: RulesProps): JSX.Element {
  const [value, setValue] = useState('')
  const [tag, setTag] = useState('')
  const add = useAction(async () => {
    const body = { stream, value: value.trim(), ...(tag.trim() !== '' && { tag: tag.trim() }) }
    await call('POST', `/apps/${app}/stream_rules`, { body })
    setValue('')
    setTag('')
    reload()
    return 'Added.'
  })
  const remove = useAction(async (id: string) => {
    await call('DELETE', `/apps/${app}/stream_rules/${id}`)
    reload()
    return undefined
  })
  return (
    <Card
      title="Rules"
      actions={
        <Choice
          label="Rules of"
          bare
          value={stream}
          onValue={onStream}
          options={['filtered', 'powerstream']}
        />
      }
    >
      <form onSubmit={onSubmit(() => void add.run())}>
        <Field
          label="Query"
          value={value}
          onValue={setValue}
          required
          mono
          hint="Such as: bridge lang:en -is:repost"
        />
        <Field label="Tag" value={tag} onValue={setTag} />
        <Notes error={error ?? add.error ?? remove.error} done={add.done} />
        <button type="submit" disabled={add.isRunning}>
          Add
        </button>
      </form>
      {data?.data.length === 0 && <Empty>The app has no rule.</Empty>}
      <ul class="stack">
        {data?.data.map((rule) => (
          <li key={rule.id} class="row between">
            <span class="stack tight grow">
              <code class="anywhere">{rule.value}</code>
              {rule.tag && <span class="hint">{rule.tag}</span>}
            </span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Delete the rule ${rule.value}`}
              onClick={() => void remove.run(rule.id)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
