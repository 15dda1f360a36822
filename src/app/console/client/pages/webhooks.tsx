import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { durationText, timeText } from '../format.ts'
import { useIdentities } from '../identities.ts'
import { Code, Facts, Status } from '../parts/code.tsx'
import { Choice, Field, onSubmit } from '../parts/field.tsx'
import { Card, Empty, Loading, Notes, Page } from '../parts/page.tsx'
import { type Resource, useAction, useAdmin, useResource } from '../resource.ts'
import type { List, One } from './data/model.ts'
import { Emit } from './emit.tsx'

interface Webhook {
  readonly id: string
  readonly url: string
  readonly valid: boolean
  readonly created_at: string
}

interface Attempt {
  readonly at: string
  readonly ms: number
  readonly status?: number
  readonly error?: string
  readonly answer?: string
  readonly replay?: string
}

interface Delivery {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly state: string
  readonly created_at: string
  readonly due_at?: string
  readonly attempts: readonly Attempt[]
}

interface WholeDelivery extends Delivery {
  readonly url: string | null
  readonly signed: { readonly header: string; readonly value: string | null }
  readonly body: string
}

const STATES = [
  'pending',
  'delivered',
  'failed',
  'skipped',
  'dropped',
  'oversized',
  'withdrawn',
  'capped',
] as const
const EVERY_MS = 3_000

/** Webhooks of all apps, their deliveries, and a form that emits an event. */
export function Webhooks({ id }: { id?: string }): JSX.Element {
  const { data: identities } = useIdentities()
  const apps = identities?.apps ?? []
  const webhooks = useResource(identities && apps.map((app) => app.id).join(), () => webhooksOf(apps))
  return (
    <Page
      title="Webhooks and deliveries"
      about="What was sent to webhooks, what they answered, and what is sent next."
    >
      <div class={id === undefined ? 'beside' : 'inspector'} data-open={id !== undefined}>
        <div class="stack">
          <Deliveries open={id} webhooks={webhooks.data ?? []} />
        </div>
        {id === undefined && (
          <div class="grid">
            <AllWebhooks webhooks={webhooks} apps={apps} />
            <Emit />
          </div>
        )}
        {id !== undefined && (
          <div class="grow">
            <p>
              <a href="/webhooks">All webhooks and deliveries</a>
            </p>
            <DeliveryView key={id} id={id} />
          </div>
        )}
      </div>
    </Page>
  )
}

interface App {
  readonly id: string
  readonly name: string
}

interface OwnedWebhook {
  readonly app: App
  readonly webhook: Webhook
}

const webhooksOf = async (apps: readonly App[]): Promise<readonly OwnedWebhook[]> =>
  (
    await Promise.all(
      apps.map(async (app) => {
        const { data } = await call<One<readonly Webhook[]>>('GET', `/apps/${app.id}/webhooks`)
        return data.map((webhook) => ({ app, webhook }))
      }),
    )
  ).flat()

interface DeliveriesProps {
  readonly open: string | undefined
  readonly webhooks: readonly OwnedWebhook[]
}

function Deliveries({ open, webhooks }: DeliveriesProps): JSX.Element {
  const [state, setState] = useState('')
  const [webhook, setWebhook] = useState('')
  const [token, setToken] = useState<string | undefined>()
  const query = new URLSearchParams({
    limit: '50',
    ...(state !== '' && { state }),
    ...(webhook !== '' && { webhook_id: webhook }),
    ...(token !== undefined && { pagination_token: token }),
  })
  const { data, error } = useAdmin<List<Delivery>>(`/deliveries?${query}`, EVERY_MS)
  const next = data?.meta.next_token
  const urls = new Map(webhooks.map((one) => [one.webhook.id, one.webhook.url]))
  return (
    <Card class="flush deliveries" title="Deliveries">
      <div class="list-head pair-even">
        <Choice
          label="State"
          bare
          value={state}
          onValue={(value) => {
            setState(value)
            setToken(undefined)
          }}
          options={[['', 'Every state'], ...STATES]}
        />
        <Choice
          label="Webhook"
          bare
          value={webhook}
          onValue={(value) => {
            setWebhook(value)
            setToken(undefined)
          }}
          options={[
            ['', 'Every webhook'],
            ...webhooks.map((one) => [one.webhook.id, one.webhook.url] as const),
          ]}
        />
      </div>
      <Notes error={error} />
      {!data && !error && <Loading />}
      {data?.data.length === 0 && (
        <Empty>No delivery yet. Emit an event, or publish a post that an app follows.</Empty>
      )}
      <ol class="entries short">
        {data?.data.map((delivery) => (
          <li key={delivery.id}>
            <a
              href={`/webhooks/deliveries/${delivery.id}`}
              {...(delivery.id === open && { 'aria-current': 'true' as const })}
            >
              <StateBadge state={delivery.state} />
              <span class="url">{delivery.event_id}</span>
              <span class="quiet to">{urls.get(delivery.webhook_id)}</span>
              <span class="quiet">{attemptsText(delivery.attempts.length)}</span>
              <time class="quiet">{timeText(delivery.created_at)}</time>
            </a>
          </li>
        ))}
      </ol>
      {next !== undefined && (
        <p class="center">
          <button type="button" onClick={() => setToken(next)}>
            Older deliveries
          </button>
        </p>
      )}
    </Card>
  )
}

const attemptsText = (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`)

const KINDS: Readonly<Record<string, string>> = {
  delivered: 'good',
  failed: 'bad',
  dropped: 'bad',
  pending: 'info',
}

const StateBadge = ({ state }: { state: string }) => (
  <span class={`badge ${KINDS[state] ?? 'warn'}`}>{state}</span>
)

function DeliveryView({ id }: { id: string }): JSX.Element {
  const { data, error, reload } = useAdmin<One<WholeDelivery>>(
    `/deliveries/${encodeURIComponent(id)}`,
    EVERY_MS,
  )
  const resend = useAction(async () => {
    await call('POST', `/deliveries/${encodeURIComponent(id)}/resend`)
    reload()
    return 'It is sent again.'
  })
  const delivery = data?.data
  if (!delivery) return error ? <Notes error={error} /> : <Loading />
  return (
    <div class="stack">
      <Card title={`Delivery ${delivery.id}`} actions={<StateBadge state={delivery.state} />}>
        <Facts
          of={[
            ['Webhook', delivery.url ?? 'deleted'],
            ['Event', <code key="event">{delivery.event_id}</code>],
            ['Happened', `${timeText(delivery.created_at)} UTC`],
            ...(delivery.due_at === undefined
              ? []
              : [['Next attempt', `${timeText(delivery.due_at)} UTC`] as const]),
            [
              delivery.signed.header,
              <code key="signature">{delivery.signed.value ?? 'not signed yet'}</code>,
            ],
          ]}
        />
        <Notes error={resend.error} done={resend.done} />
        <button type="button" class="primary" disabled={resend.isRunning} onClick={() => void resend.run()}>
          Send again
        </button>
      </Card>
      <Card title="Attempts">
        {delivery.attempts.length === 0 && <Empty>None yet.</Empty>}
        <ol class="stack">
          {delivery.attempts.toReversed().map((attempt, index, { length }) => (
            <AttemptView key={attempt.at} attempt={attempt} number={length - index} />
          ))}
        </ol>
      </Card>
      <Card title="What is sent">
        <Code label="Body of the delivery" text={delivery.body} json />
      </Card>
    </div>
  )
}

interface AttemptProps {
  readonly attempt: Attempt
  /** 1 for the first. */
  readonly number: number
}

const AttemptView = ({ attempt: { at, ms, status, error, answer, replay }, number }: AttemptProps) => (
  <li class="stack tight">
    <p class="row">
      {status === undefined ? <span class="badge bad">no answer</span> : <Status of={status} />}
      <span class="quiet">
        {timeText(at)} UTC, after {durationText(ms)}
        {replay && ', in a replay'}
      </span>
    </p>
    {error && <p>{error}</p>}
    {answer && <Code label={`Answer to attempt ${number}`} text={answer} copies={false} />}
  </li>
)

interface AllWebhooksProps {
  readonly webhooks: Resource<readonly OwnedWebhook[]>
  readonly apps: readonly App[]
}

/** The webhooks of every app, with what can be done with one. */
function AllWebhooks({ webhooks, apps }: AllWebhooksProps): JSX.Element {
  const { data: all = [], error, reload, isLoading } = webhooks
  const act = useAction(async (method: 'POST' | 'DELETE', path: string) => {
    await call(method, path)
    reload()
    return undefined
  })
  return (
    <Card title="Webhooks">
      <Notes error={error ?? act.error} />
      {!isLoading && all.length === 0 && (
        <Empty>There is no webhook. Register the URL of yours: Plaza checks that it answers.</Empty>
      )}
      <ul class="stack">
        {all.map(({ app, webhook }) => (
          <li key={webhook.id} class="stack tight">
            <p class="row">
              <strong class="anywhere">{webhook.url}</strong>
              <span class={`badge ${webhook.valid ? 'good' : 'bad'}`}>
                {webhook.valid ? 'valid' : 'not valid'}
              </span>
            </p>
            <p class="hint">
              {webhook.id}, of {app.name}
            </p>
            <div class="row">
              <button type="button" onClick={() => void act.run('POST', `/webhooks/${webhook.id}/check`)}>
                Check
              </button>
              <a class="button" href="/explorer/core/replayWebhook">
                Replay
              </a>
              <button
                type="button"
                class="danger"
                onClick={() => void act.run('DELETE', `/webhooks/${webhook.id}`)}
              >
                Delete
              </button>
            </div>
          </li>
        ))}
      </ul>
      <NewWebhook apps={apps} onMade={reload} />
    </Card>
  )
}

interface NewWebhookProps {
  readonly apps: readonly App[]
  readonly onMade: () => void
}

function NewWebhook({ apps, onMade }: NewWebhookProps): JSX.Element {
  const [url, setUrl] = useState('http://127.0.0.1:3002/webhook')
  const [app, setApp] = useState('')
  const create = useAction(async () => {
    await call('POST', '/webhooks', { body: { app_id: app || apps[0]?.id, url: url.trim() } })
    onMade()
    return 'Registered: the webhook passed its check.'
  })
  return (
    <form onSubmit={onSubmit(() => void create.run())}>
      <h3>Register a webhook</h3>
      <Choice
        label="App"
        value={app || (apps[0]?.id ?? '')}
        onValue={setApp}
        options={apps.map(({ id, name }) => [id, name] as const)}
      />
      <Field label="URL" type="url" value={url} onValue={setUrl} required mono />
      <Notes error={create.error} done={create.done} />
      <button type="submit" disabled={create.isRunning || apps.length === 0}>
        Register
      </button>
    </form>
  )
}
