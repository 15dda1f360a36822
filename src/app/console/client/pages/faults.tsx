import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { numberText } from '../format.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Choice, Field, onSubmit } from '../parts/field.tsx'
import { Card, Empty, Loading, Notes, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { useAction, useAdmin } from '../resource.ts'
import { latest } from '../samples.ts'
import type { List } from './data/model.ts'

interface Fault {
  readonly id: string
  readonly position: number
  readonly kind: string
  readonly matches: number
  readonly hits: number
  readonly [member: string]: unknown
}

/** The kinds, and the members that each has besides its conditions. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  error: ['status', 'cause'],
  latency: [],
  expired_token: [],
  exhausted_limit: [],
  exhausted_usage: ['cause'],
  lost_database: [],
  drop: [],
  drop_after: [],
  truncate: ['bytes'],
  throttle: ['bytes_per_second'],
  disconnect: ['posts', 'after', 'reason'],
  stall: ['posts', 'after'],
  webhook_status: ['status', 'webhook'],
  webhook_timeout: ['webhook'],
  webhook_unreachable: ['webhook'],
  webhook_tls: ['webhook'],
  webhook_slow: ['webhook'],
}

const KIND_TEXTS: Readonly<Record<string, string>> = {
  error: 'Error reply',
  latency: 'Latency',
  expired_token: 'Expired token',
  exhausted_limit: 'Exhausted rate limit',
  exhausted_usage: 'Exhausted usage cap',
  lost_database: 'Lost database',
  drop: 'Connection dropped before the work',
  drop_after: 'Connection dropped after the work',
  truncate: 'Truncated reply',
  throttle: 'Throttled reply or stream',
  disconnect: 'Stream disconnected',
  stall: 'Stream stalled',
  webhook_status: 'Webhook: answers with a status',
  webhook_timeout: 'Webhook: does not answer in time',
  webhook_unreachable: 'Webhook: cannot be reached',
  webhook_tls: 'Webhook: certificate is not trusted',
  webhook_slow: 'Webhook: answers slowly',
}

const LABELS: Readonly<Record<string, string>> = {
  status: 'Status',
  cause: 'Cause',
  bytes: 'Bytes that are sent',
  bytes_per_second: 'Bytes per second',
  posts: 'After how many lines',
  after: 'After how much time',
  reason: 'Reason',
  webhook: 'Webhook: id or URL',
  latency: 'Latency before it',
  route: 'Endpoint',
  user_id: 'User id',
  app_id: 'App id',
  probability: 'Probability',
  times: 'Only the first',
  every: 'Only every …-th',
}

const NUMBERS = new Set(['status', 'bytes', 'bytes_per_second', 'posts', 'probability', 'times', 'every'])
const SHARED = ['latency', 'user_id', 'app_id', 'probability', 'times', 'every'] as const
const EVERY_MS = 3_000

/** Rules that make requests, streams and deliveries fail. */
export function Faults(): JSX.Element {
  const { data, error, reload } = useAdmin<List<Fault>>('/faults', EVERY_MS)
  const act = useAction(async (path: string) => {
    await call('DELETE', path)
    reload()
    return undefined
  })
  return (
    <Page
      title="Faults"
      about="Rules that make requests, streams and deliveries fail as their real causes would. The first rule that applies counts."
      actions={
        data &&
        data.data.length > 0 && (
          <ConfirmButton
            text="Remove all"
            confirm="Remove all rules"
            disabled={act.isRunning}
            onConfirm={() => void act.run('/faults')}
          />
        )
      }
    >
      <Notes error={error ?? act.error} />
      <div class="with-side">
        <Card title="Rules" class="flush">
          {!data && !error && <Loading />}
          {data?.data.length === 0 && (
            <Empty>
              Nothing fails on purpose. Add a rule to see how your client copes: its next request that matches
              gets the error.
            </Empty>
          )}
          {data && data.data.length > 0 && (
            <Table
              label="Fault rules"
              rows={data.data}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Fault', cell: (one) => <strong>{KIND_TEXTS[one.kind] ?? one.kind}</strong> },
                {
                  title: 'For',
                  cell: (one) => (
                    <code class="nowrap">{String(one.route ?? one.webhook ?? 'every endpoint')}</code>
                  ),
                },
                { title: 'With', cell: detailsOf },
                { title: 'Matches', cell: (one) => numberText(one.matches), isNumber: true },
                { title: 'Hits', cell: (one) => numberText(one.hits), isNumber: true },
                {
                  title: 'Remove',
                  cell: (one) => (
                    <button
                      type="button"
                      aria-label={`Remove the rule ${one.position}`}
                      onClick={() => void act.run(`/faults/${one.id}`)}
                    >
                      Remove
                    </button>
                  ),
                },
              ]}
            />
          )}
        </Card>
        <NewFault onMade={reload} />
      </div>
    </Page>
  )
}

/** The endpoints that were called. */
const knownRoutes = (): string[] =>
  (latest.value?.routes ?? []).flatMap(({ host, route }) => (host === 'console' ? [] : [route]))

const OMITTED = new Set(['id', 'position', 'kind', 'route', 'webhook', 'matches', 'hits'])

const detailsOf = (fault: Fault): string =>
  Object.entries(fault)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')

function NewFault({ onMade }: { onMade: () => void }): JSX.Element {
  const [kind, setKind] = useState('error')
  const [values, setValues] = useState<Readonly<Record<string, string>>>({
    route: 'POST /2/posts',
    status: '429',
  })
  const isForWebhooks = kind.startsWith('webhook_')
  const own = KINDS[kind] ?? []
  const conditions = isForWebhooks ? SHARED.filter((name) => name !== 'user_id') : SHARED
  const add = useAction(async () => {
    const names = [...own, ...conditions, ...(isForWebhooks ? [] : ['route'])]
    const given = names.flatMap((name) => {
      const text = values[name]?.trim() ?? ''
      return text === '' ? [] : [[name, NUMBERS.has(name) ? Number(text) : text] as const]
    })
    await call('POST', '/faults', { body: { kind, ...Object.fromEntries(given) } })
    onMade()
    return 'Added.'
  })
  const field = (name: string) => (
    <Field
      key={name}
      label={LABELS[name] ?? name}
      value={values[name] ?? ''}
      onValue={(value) => setValues({ ...values, [name]: value })}
      {...(name === 'latency' && { hint: 'Such as 200ms.' })}
      {...(name === 'route' && { suggestions: knownRoutes(), mono: true, hint: 'Empty for every endpoint.' })}
    />
  )
  return (
    <Card title="New rule">
      <form onSubmit={onSubmit(() => void add.run())}>
        <Choice label="Fault" value={kind} onValue={setKind} options={Object.entries(KIND_TEXTS)} />
        {!isForWebhooks && field('route')}
        {own.map(field)}
        <details class="more">
          <summary>Conditions</summary>
          <div class="stack">{conditions.map(field)}</div>
        </details>
        <Notes error={add.error} done={add.done} />
        <button type="submit" class="primary" disabled={add.isRunning}>
          Add
        </button>
      </form>
    </Card>
  )
}
