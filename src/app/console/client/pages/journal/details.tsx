import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { bytesText, durationText, timeText } from '../../format.ts'
import { Icon } from '../../icons.tsx'
import { Code, CopyButton, Facts, Method, Status } from '../../parts/code.tsx'
import { Card, Loading, Notes } from '../../parts/page.tsx'
import { SignatureView } from '../../parts/signature.tsx'
import { useAction, useAdmin } from '../../resource.ts'
import { saveText } from '../../save.ts'
import type { Entry, Message } from './entry.ts'

/** An entry: request and reply side by side, why it was answered like this, its signature. */
export function Details({ id }: { id: string }): JSX.Element {
  const { data, error } = useAdmin<{ data: Entry }>(`/journal/${encodeURIComponent(id)}`)
  const entry = data?.data
  if (!entry) return error ? <Notes error={error} /> : <Loading />
  return (
    <div class="stack">
      <Head entry={entry} />
      {entry.signature && (
        <Card title="Signature">
          <SignatureView of={entry.signature} />
        </Card>
      )}
      <div class="sides">
        <MessageCard title="Request" of={entry.request} />
        <MessageCard
          title={entry.kind === 'stream' ? 'Reply: the last lines' : 'Reply'}
          of={entry.response}
        />
      </div>
    </div>
  )
}

function Head({ entry }: { entry: Entry }): JSX.Element {
  const { caller } = entry
  return (
    <Card>
      <div class="row between">
        <h2 class="row url">
          <Method of={entry.method} /> <code>{entry.url}</code>
        </h2>
        <div class="row">
          <Status of={entry.status} />
          <span class="quiet nowrap">{durationText(entry.duration_ms)}</span>
        </div>
      </div>
      {entry.failure && <p class="note bad">{entry.failure}</p>}
      {entry.explanation.length > 0 && (
        <section aria-label="Explanation">
          <ul class={`sentences ${(entry.status ?? 0) >= 400 ? 'warn' : ''}`}>
            {entry.explanation.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      <Actions entry={entry} />
      <div class="two-facts">
        <Facts
          of={[
            ['Time', `${timeText(entry.time)} UTC`],
            ['Endpoint', entry.route === '' ? 'none matched' : <code key="route">{entry.route}</code>],
            ['Listener', entry.host ?? 'outgoing'],
          ]}
        />
        <Facts
          of={[
            ['Caller', caller?.kind ?? 'nobody'],
            ...(caller?.user_id === undefined
              ? []
              : [
                  [
                    'User',
                    <a key="user" href={`/data/users/${caller.user_id}`}>
                      {caller.user_id}
                    </a>,
                  ] as const,
                ]),
            ...(caller?.app_id === undefined ? [] : [['App', caller.app_id] as const]),
            ['Id', <code key="id">{entry.id}</code>],
          ]}
        />
      </div>
    </Card>
  )
}

/** Sending again, and other forms of the entry. */
function Actions({ entry }: { entry: Entry }): JSX.Element {
  const { route } = useLocation()
  const [shown, setShown] = useState<{ format: string; text: string } | undefined>()
  const path = `/journal/${encodeURIComponent(entry.id)}`
  const resend = useAction(async () => {
    const { data } = await call<{ data: Entry }>('POST', `${path}/resend`)
    route(`/journal/${data.id}`)
    return undefined
  })
  const textAs = async (format: 'curl' | 'test' | 'har') =>
    (await call<{ data: { text: string } }>('GET', `${path}/export?format=${format}`)).data.text
  const show = useAction(async (format: 'curl' | 'test') => {
    setShown({ format, text: await textAs(format) })
    return undefined
  })
  const save = useAction(async () => {
    saveText(`${entry.id}.har`, await textAs('har'))
    return undefined
  })
  return (
    <>
      <div class="row">
        {entry.kind === 'request' && (
          <>
            <button type="button" disabled={resend.isRunning} onClick={() => void resend.run()}>
              <Icon name="send" />
              Send again
            </button>
            <button type="button" onClick={() => void show.run('curl')}>
              As curl
            </button>
            <button type="button" onClick={() => void show.run('test')}>
              As a test
            </button>
          </>
        )}
        <button type="button" onClick={() => void save.run()}>
          As HAR
        </button>
        <CopyButton text={entry.id} label="Copy the id" />
      </div>
      <Notes error={resend.error ?? show.error ?? save.error} />
      {shown && <Code label={shown.format === 'curl' ? 'As curl' : 'As a test'} text={shown.text} />}
    </>
  )
}

function MessageCard({ title, of: message }: { title: string; of: Message }): JSX.Element {
  return (
    <Card
      title={title}
      actions={message.body_bytes !== undefined && <span class="quiet">{bytesText(message.body_bytes)}</span>}
    >
      {message.body !== undefined && message.body !== '' && (
        <Code label={`${title}: body`} text={message.body} json={isJson(message.body)} />
      )}
      {message.body_omitted && <p class="quiet">{message.body_omitted}</p>}
      {(message.body === undefined || message.body === '') && !message.body_omitted && (
        <p class="quiet">No body.</p>
      )}
      <details open={message.headers.length <= 12}>
        <summary>
          Headers <span class="badge">{message.headers.length}</span>
        </summary>
        <Facts
          of={message.headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)}
        />
      </details>
    </Card>
  )
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text)
