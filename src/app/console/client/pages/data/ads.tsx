import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Facts } from '../../parts/code.tsx'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { useAction } from '../../resource.ts'
import { DataPage } from './data-page.tsx'
import type { One } from './model.ts'

export interface Account {
  readonly id: string
  readonly environment: 'production' | 'sandbox'
  readonly name: string
  readonly timezone: string
  readonly approval_status: string
  readonly deleted: boolean
  readonly users: readonly { readonly screen_name: string; readonly roles: readonly string[] }[]
}

/** Advertising accounts, and a form that opens one. */
export function Accounts(): JSX.Element {
  const { data, error, reload, pager } = usePages<Account>('/accounts?limit=50')
  return (
    <DataPage title="Advertising accounts" open="/data/accounts">
      <Notes error={error} />
      {data ? (
        <div class="with-side">
          <div class="stack">
            {data.data.length === 0 && (
              <Card>
                <Empty>There is no account. Open one with the form.</Empty>
              </Card>
            )}
            <div class="grid cards">
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
            {pager}
          </div>
          <NewAccount onMade={reload} />
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

export const AccountFacts = ({ account }: { account: Account }) => (
  <Facts
    of={[
      ['Id', <code key="id">{account.id}</code>],
      ['Approval', account.approval_status.toLowerCase()],
      ['Time zone', account.timezone],
      ...account.users.map(
        ({ screen_name, roles }) =>
          [
            <a key="user" href={`/data/users/${screen_name}`}>
              @{screen_name}
            </a>,
            roles.map((role) => role.replaceAll('_', ' ').toLowerCase()).join(', '),
          ] as const,
      ),
    ]}
  />
)

function NewAccount({ onMade }: { onMade: () => void }): JSX.Element {
  const [name, setName] = useState('')
  const [owner, setOwner] = useState('')
  const [timezone, setTimezone] = useState('Europe/Berlin')
  const create = useAction(async () => {
    const body = {
      ...{ name: name.trim(), owner: owner.trim().replace(/^@/, ''), timezone: timezone.trim() },
      funding: [{ currency: 'EUR', type: 'CREDIT_LINE', credit_limit_local_micro: CREDIT_MICRO }],
    }
    const { data } = await call<One<Account>>('POST', '/accounts', { body })
    setName('')
    onMade()
    return `Opened ${data.id}.`
  })
  return (
    <Card title="New account">
      <form onSubmit={onSubmit(() => void create.run())}>
        <Field label="Name" value={name} onValue={setName} required maxLength={255} />
        <Field
          label="Owner"
          value={owner}
          onValue={setOwner}
          required
          maxLength={20}
          hint="Id or screen name."
        />
        <Field label="Time zone" value={timezone} onValue={setTimezone} required />
        <p class="hint">It can spend 10,000 EUR.</p>
        <Notes error={create.error} done={create.done} />
        <button type="submit" class="primary" disabled={create.isRunning}>
          Open
        </button>
      </form>
    </Card>
  )
}

/** 10,000 in millionths. */
const CREDIT_MICRO = 10_000_000_000
