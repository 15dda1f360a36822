import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Facts } from '../../parts/code.tsx'
import { Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { useAction, useAdmin, useResource } from '../../resource.ts'
import { readAs } from '../explorer/call.ts'
import { DataPage } from './data-page.tsx'
import type { List, One } from './model.ts'

interface Account {
  readonly id: string
  readonly environment: 'production' | 'sandbox'
  readonly name: string
  readonly timezone: string
  readonly approval_status: string
  readonly deleted: boolean
  readonly users: readonly { readonly screen_name: string; readonly roles: readonly string[] }[]
}

/** An entity of an account, whatever its kind. */
type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

/** Advertising accounts. */
export function Accounts(): JSX.Element {
  const { data, error } = useAdmin<List<Account>>('/accounts?limit=200')
  return (
    <DataPage title="Advertising accounts" open="/data/accounts">
      <Notes error={error} />
      {data ? (
        data.data.length === 0 ? (
          <Empty>There is no account.</Empty>
        ) : (
          <div class="grid">
            {data.data.map((account) => (
              <Card
                key={account.id}
                title={account.name}
                actions={<span class="badge">{account.environment}</span>}
              >
                <AccountFacts account={account} />
                <p>
                  <a href={`/data/accounts/${account.id}`}>Campaigns, line items, creatives</a>
                </p>
              </Card>
            ))}
          </div>
        )
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

const AccountFacts = ({ account }: { account: Account }) => (
  <Facts
    of={[
      ['Id', <code key="id">{account.id}</code>],
      ['Approval', account.approval_status],
      ['Time zone', account.timezone],
      ...account.users.map(({ screen_name, roles }) => [`@${screen_name}`, roles.join(', ')] as const),
    ]}
  />
)

/** The kinds of entities, from the account down to what is shown. */
const KINDS = [
  ['campaigns', 'Campaigns'],
  ['line_items', 'Line items'],
  ['promoted_posts', 'Promoted posts'],
  ['funding_instruments', 'Funding instruments'],
  ['targeting_criteria', 'Targeting'],
  ['cards', 'Cards'],
  ['media_library', 'Media library'],
  ['custom_audiences', 'Audiences'],
  ['product_catalogs', 'Catalogs'],
] as const

/** An account: its campaigns with their line items, and everything else that belongs to it. */
export function AccountPage({ id = '' }: { id?: string }): JSX.Element {
  const { data, error } = useAdmin<One<Account>>(`/accounts/${encodeURIComponent(id)}`)
  const [kind, setKind] = useState('campaigns')
  const account = data?.data
  return (
    <DataPage title={account?.name ?? 'Account'} open="/data/accounts">
      <Notes error={error} />
      {account ? (
        <div class="with-side">
          <Entities account={account} kind={kind} onKind={setKind} />
          <div class="stack">
            <Card title="Account">
              <AccountFacts account={account} />
            </Card>
            <NewCampaign account={account} />
          </div>
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

interface EntitiesProps {
  readonly account: Account
  readonly kind: string
  readonly onKind: (kind: string) => void
}

/** Read as someone who has a role in the account, as the API shows them. */
function Entities({ account, kind, onKind }: EntitiesProps): JSX.Element {
  const [admin] = account.users.toSorted((a, b) => b.roles.join().length - a.roles.join().length)
  const path = `/12/accounts/${account.id}/${kind}`
  const { data, error, reload } = useResource(admin && path, (one) =>
    readAs<{ data: readonly Entity[] }>(
      { kind: 'user', user: admin?.screen_name ?? '' },
      one,
      account.environment === 'sandbox' ? 'sandbox' : 'ads',
    ),
  )
  return (
    <Card
      class="flush"
      title="Contents"
      actions={
        <>
          <Choice label="Kind" bare value={kind} onValue={onKind} options={KINDS} />
          <button type="button" onClick={reload}>
            Reload
          </button>
        </>
      }
    >
      {!admin && <Empty>Nobody has a role in the account.</Empty>}
      {error && <Notes error={error} />}
      {data?.data.length === 0 && <Empty>There are none.</Empty>}
      {data && data.data.length > 0 && (
        <Table label="Entities" rows={data.data} columns={columnsOf(data.data)} keyOf={({ id }) => id} />
      )}
      {!data && !error && admin && <Loading />}
    </Card>
  )
}

const SHOWN = [
  'name',
  'id',
  'entity_status',
  'campaign_id',
  'line_item_id',
  'objective',
  'product_type',
  'post_id',
  'targeting_type',
  'targeting_value',
  'daily_budget_amount_local_micro',
  'currency',
]

/** Columns for the members that the entities have. */
function columnsOf(rows: readonly Entity[]): Column<Entity>[] {
  const names = SHOWN.filter((name) => rows.some((row) => row[name] !== undefined && row[name] !== null))
  return [
    ...names.map(
      (name): Column<Entity> => ({
        title: name.replaceAll('_', ' '),
        cell: (row) =>
          name === 'id' || name.endsWith('_id') ? (
            <code>{String(row[name] ?? '')}</code>
          ) : (
            String(row[name] ?? '')
          ),
        sortBy: (row) => String(row[name] ?? ''),
      }),
    ),
    {
      title: 'More',
      cell: (row) => (
        <details>
          <summary>All members</summary>
          <pre class="json-small">{JSON.stringify(row, undefined, 2)}</pre>
        </details>
      ),
    },
  ]
}

function NewCampaign({ account }: { account: Account }): JSX.Element {
  const [name, setName] = useState('')
  const create = useAction(async () => {
    await call('POST', `/accounts/${account.id}/campaigns`, { body: { name: name.trim() } })
    setName('')
    return 'Created. Reload the contents to see it.'
  })
  return (
    <Card title="New campaign">
      <form onSubmit={onSubmit(() => void create.run())}>
        <Field label="Name" value={name} onValue={setName} required maxLength={255} />
        <Notes error={create.error} done={create.done} />
        <button type="submit" class="primary" disabled={create.isRunning}>
          Create
        </button>
      </form>
      <p>
        <a href={`/explorer/ads/createLineItem?account_id=${account.id}`}>
          Create anything else in the explorer
        </a>
      </p>
    </Card>
  )
}
