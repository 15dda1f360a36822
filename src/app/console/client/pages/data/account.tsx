import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction, useAdmin } from '../../resource.ts'
import { type Account, AccountFacts } from './ads.tsx'
import { DataPage } from './data-page.tsx'
import type { One } from './model.ts'

/** An entity of an account, whatever its kind. */
type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

/** What an account, a campaign and a line item contain: the path of each list, and its title. */
const OF_ACCOUNT = [
  ['campaigns', 'Campaigns'],
  ['funding_instruments', 'Funding'],
  ['custom_audiences', 'Audiences'],
  ['cards', 'Cards'],
  ['scheduled_posts', 'Scheduled posts'],
] as const
const OF_CAMPAIGN = [['line_items', 'Line items']] as const
const OF_LINE_ITEM = [
  ['promoted_posts', 'Promoted posts'],
  ['targeting_criteria', 'Targeting'],
] as const

/** An account, and what is in it: from campaigns down to what a line item shows, and to whom. */
export function AccountPage({ id = '' }: { id?: string }): JSX.Element {
  const { query } = useLocation()
  const { data, error } = useAdmin<One<Account>>(`/accounts/${encodeURIComponent(id)}`)
  const [turn, setTurn] = useState(0)
  const account = data?.data
  const { campaign = '', line_item = '' } = query
  const place = `${campaign}/${line_item}`
  return (
    <DataPage title={account?.name ?? 'Account'} open="/data/accounts">
      <Notes error={error} />
      {account ? (
        <div class="with-side">
          <div class="stack">
            <Trail account={account} campaign={campaign} lineItem={line_item} />
            <Contents key={`${place}#${turn}`} account={account} campaign={campaign} lineItem={line_item} />
          </div>
          <div class="stack">
            <Card title="Account">
              <AccountFacts account={account} />
              <p>
                <a href="/explorer/ads/createLineItem">Create anything else in the explorer</a>
              </p>
            </Card>
            {campaign === '' && <NewCampaign account={account} onMade={() => setTurn(turn + 1)} />}
          </div>
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

interface PlaceProps {
  readonly account: Account
  /** Empty above it. */
  readonly campaign: string
  readonly lineItem: string
}

/** Where the reader is. */
const Trail = ({ account, campaign, lineItem }: PlaceProps) => {
  const path = `/data/accounts/${account.id}`
  return (
    <nav aria-label="Place" class="trail">
      {campaign === '' ? <span>All of {account.name}</span> : <a href={path}>All of {account.name}</a>}
      {campaign !== '' &&
        (lineItem === '' ? (
          <span>Campaign {campaign}</span>
        ) : (
          <a href={`${path}?campaign=${campaign}`}>Campaign {campaign}</a>
        ))}
      {lineItem !== '' && <span>Line item {lineItem}</span>}
    </nav>
  )
}

function Contents({ account, campaign, lineItem }: PlaceProps): JSX.Element {
  const kinds = lineItem !== '' ? OF_LINE_ITEM : campaign !== '' ? OF_CAMPAIGN : OF_ACCOUNT
  const [kind, setKind] = useState<string>(kinds[0][0])
  return (
    <Card>
      <Tabs label="Kinds" value={kind} onValue={setKind} options={kinds}>
        <Entities key={kind} kind={kind} account={account} campaign={campaign} lineItem={lineItem} />
      </Tabs>
    </Card>
  )
}

function Entities({ kind, account, campaign, lineItem }: PlaceProps & { kind: string }): JSX.Element {
  const within = lineItem !== '' ? `&line_item_ids=${lineItem}` : campaign && `&campaign_ids=${campaign}`
  const path = `/accounts/${account.id}/${kind}`
  const { data, error, reload, pager } = usePages<Entity>(`${path}?limit=50${within}`)
  if (!data) return error ? <Notes error={error} /> : <Loading />
  if (data.data.length === 0) return <Empty>There are none yet.</Empty>
  return (
    <>
      <Table
        label="Entities"
        rows={data.data}
        columns={columnsOf(data.data, { kind, account, campaign, onChange: reload })}
        keyOf={({ id }) => id}
      />
      {pager}
    </>
  )
}

/** Members that have a column, if an entity has them. All others are below them. */
const SHOWN = [
  ...['description', 'text', 'objective', 'product_type', 'post_id', 'targeting_type', 'targeting_value'],
  ...['scheduled_at', 'scheduled_status', 'audience_type', 'audience_size', 'card_type', 'type'],
] as const
const AMOUNTS = [
  ['daily_budget_amount_local_micro', 'daily budget'],
  ['total_budget_amount_local_micro', 'total budget'],
  ['bid_amount_local_micro', 'bid'],
  ['credit_limit_local_micro', 'credit limit'],
] as const

interface TableOptions {
  readonly kind: string
  readonly account: Account
  readonly campaign: string
  readonly onChange: () => void
}

function columnsOf(rows: readonly Entity[], { kind, account, campaign, onChange }: TableOptions) {
  const isUsed = (name: string) => rows.some((row) => row[name] !== undefined && row[name] !== null)
  const path = `/data/accounts/${account.id}`
  const inside = (row: Entity) =>
    kind === 'campaigns'
      ? `${path}?campaign=${row.id}`
      : kind === 'line_items'
        ? `${path}?campaign=${campaign || String(row.campaign_id)}&line_item=${row.id}`
        : undefined
  const columns: Column<Entity>[] = [
    {
      title: 'Name',
      cell: (row) => <NameOf row={row} href={inside(row)} />,
      sortBy: (row) => String(row.name ?? row.id),
    },
    ...SHOWN.filter(isUsed).map(
      (name): Column<Entity> => ({
        title: capital(name.replaceAll('_', ' ')),
        cell: (row) => <span class="clamped">{wordsOf(row[name])}</span>,
        sortBy: (row) => String(row[name] ?? ''),
      }),
    ),
    ...AMOUNTS.filter(([name]) => isUsed(name)).map(
      ([name, title]): Column<Entity> => ({
        title: capital(title),
        cell: (row) => amountText(row[name], row.currency),
        sortBy: (row) => Number(row[name] ?? 0),
        isNumber: true,
      }),
    ),
    ...(isUsed('entity_status') ? [stateOf(kind, account, onChange)] : []),
    {
      title: 'Members',
      cell: (row) => (
        <details>
          <summary>Show</summary>
          <pre class="json-small">{JSON.stringify(row, undefined, 2)}</pre>
        </details>
      ),
    },
  ]
  return columns
}

const NameOf = ({ row, href }: { row: Entity; href: string | undefined }) => {
  const name = <strong>{String(row.name ?? row.id)}</strong>
  return (
    <span class="stack tight">
      {href === undefined ? name : <a href={href}>{name}</a>}
      {row.name !== undefined && row.name !== null && <code class="quiet">{row.id}</code>}
    </span>
  )
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Values of enumerations as words: `PROMOTED_POSTS` is `promoted posts`. */
function wordsOf(value: unknown): string {
  const text = String(value ?? '')
  return /^[A-Z][A-Z_]+$/.test(text) ? text.replaceAll('_', ' ').toLowerCase() : text
}

/** In units of the currency. */
function amountText(micro: unknown, currency: unknown): string {
  if (micro === undefined || micro === null) return ''
  const amount = (Number(micro) / 1_000_000).toLocaleString('en', { minimumFractionDigits: 2 })
  return typeof currency === 'string' ? `${amount} ${currency}` : amount
}

const STATUSES = ['ACTIVE', 'PAUSED', 'DRAFT'] as const

/** The status; of campaigns and line items it can be changed. */
function stateOf(kind: string, account: Account, onChange: () => void): Column<Entity> {
  const canChange = kind === 'campaigns' || kind === 'line_items'
  return {
    title: 'Status',
    cell: (row) =>
      canChange ? (
        <StatusChoice row={row} path={`/accounts/${account.id}/${kind}/${row.id}`} onChange={onChange} />
      ) : (
        <span class="badge">{String(row.entity_status ?? '').toLowerCase()}</span>
      ),
    sortBy: (row) => String(row.entity_status ?? ''),
  }
}

interface StatusChoiceProps {
  readonly row: Entity
  readonly path: string
  readonly onChange: () => void
}

function StatusChoice({ row, path, onChange }: StatusChoiceProps): JSX.Element {
  const status = String(row.entity_status)
  const change = useAction(async (entity_status: string) => {
    await call('PUT', path, { body: { entity_status } })
    onChange()
    return undefined
  })
  return (
    <>
      <Choice
        label={`Status of ${String(row.name ?? row.id)}`}
        bare
        value={status}
        onValue={(next) => void change.run(next)}
        options={STATUSES.filter((one) => one !== 'DRAFT' || status === 'DRAFT').map(
          (one) => [one, one.toLowerCase()] as const,
        )}
      />
      <Notes error={change.error} />
    </>
  )
}

function NewCampaign({ account, onMade }: { account: Account; onMade: () => void }): JSX.Element {
  const funding = usePages<Entity>(`/accounts/${account.id}/funding_instruments`)
  const instruments = funding.data?.data ?? []
  const [values, setValues] = useState({ name: '', instrument: '', budget: '10' })
  const instrument = values.instrument || instruments[0]?.id
  const create = useAction(async () => {
    const body = {
      ...{ name: values.name.trim(), funding_instrument_id: instrument, entity_status: 'PAUSED' },
      daily_budget_amount_local_micro: Math.round(Number(values.budget) * 1_000_000),
    }
    await call('POST', `/accounts/${account.id}/campaigns`, { body })
    onMade()
    return 'Created.'
  })
  return (
    <Card title="New campaign">
      {instruments.length === 0 && !funding.isLoading ? (
        <Empty>The account has no funding instrument.</Empty>
      ) : (
        <form onSubmit={onSubmit(() => void create.run())}>
          <Field
            label="Name"
            value={values.name}
            onValue={(name) => setValues({ ...values, name })}
            required
            maxLength={255}
          />
          <Choice
            label="Funding instrument"
            value={instrument ?? ''}
            onValue={(one) => setValues({ ...values, instrument: one })}
            options={instruments.map((one) => [one.id, String(one.description ?? one.id)] as const)}
          />
          <Field
            label={`Daily budget${instruments[0]?.currency ? ` in ${String(instruments[0].currency)}` : ''}`}
            value={values.budget}
            onValue={(budget) => setValues({ ...values, budget })}
            required
            maxLength={12}
          />
          <Notes error={create.error ?? funding.error} done={create.done} />
          <button type="submit" class="primary" disabled={create.isRunning}>
            Create
          </button>
        </form>
      )}
    </Card>
  )
}
