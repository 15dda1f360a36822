import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Facts } from '../../parts/code.tsx'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Loading, Notes } from '../../parts/page.tsx'
import { useAction, useAdmin } from '../../resource.ts'
import { DataPage } from './data-page.tsx'
import type { App, List, One } from './model.ts'
import { UserLink } from './user-link.tsx'

/** Secrets that a reply has once. */
type Keys = Readonly<Record<string, unknown>>

/** Apps: register one, give it new keys, suspend it. */
export function Apps(): JSX.Element {
  const { data, error, reload } = useAdmin<List<App>>('/apps?limit=200')
  return (
    <DataPage title="Apps" open="/data/apps">
      <Notes error={error} />
      {data ? (
        <div class="with-side">
          <div class="grid cards">
            {data.data.map((app) => (
              <AppCard key={app.id} app={app} onChange={reload} />
            ))}
          </div>
          <NewApp onMade={reload} />
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

function AppCard({ app, onChange }: { app: App; onChange: () => void }): JSX.Element {
  const [keys, setKeys] = useState<Keys | undefined>()
  const rotate = useAction(async () => {
    setKeys((await call<One<Keys>>('POST', `/apps/${app.id}/rotate_keys`)).data)
    return undefined
  })
  const suspend = useAction(async () => {
    await call('PUT', `/apps/${app.id}`, { body: { suspended: !app.suspended } })
    onChange()
    return undefined
  })
  return (
    <Card title={app.name} actions={app.suspended && <span class="badge bad">suspended</span>}>
      <Facts
        of={[
          ['Id', <code key="id">{app.id}</code>],
          ['Website', app.website],
          ['Owner', <UserLink key="owner" id={app.owner_user_id} />],
          ['Permission', app.permission],
          ['OAuth 2.0', app.client_type ?? 'not used'],
        ]}
      />
      <Notes error={rotate.error ?? suspend.error} />
      <div class="row">
        <button type="button" disabled={suspend.isRunning} onClick={() => void suspend.run()}>
          {app.suspended ? 'Allow again' : 'Suspend'}
        </button>
        <button type="button" class="danger" disabled={rotate.isRunning} onClick={() => void rotate.run()}>
          New keys
        </button>
      </div>
      {keys && <Secrets keys={keys} />}
    </Card>
  )
}

/** The only time that they are shown. */
const Secrets = ({ keys }: { keys: Keys }) => (
  <div class="note good">
    <p>Shown only now:</p>
    <Facts
      of={Object.entries(keys).flatMap(([name, value]) =>
        /key|secret|client_id/.test(name) && typeof value === 'string'
          ? [[name, <code key={name}>{value}</code>] as const]
          : [],
      )}
    />
  </div>
)

function NewApp({ onMade }: { onMade: () => void }): JSX.Element {
  const [name, setName] = useState('')
  const [website, setWebsite] = useState('https://app.example.com/')
  const [owner, setOwner] = useState('')
  const [keys, setKeys] = useState<Keys | undefined>()
  const create = useAction(async () => {
    const body = { name: name.trim(), website: website.trim(), owner: owner.trim() }
    setKeys((await call<One<Keys>>('POST', '/apps', { body })).data)
    onMade()
    return undefined
  })
  return (
    <Card title="New app">
      <form onSubmit={onSubmit(() => void create.run())}>
        <Field label="Name" value={name} onValue={setName} required maxLength={50} />
        <Field label="Website" value={website} onValue={setWebsite} type="url" required />
        <Field
          label="Owner"
          value={owner}
          onValue={setOwner}
          required
          maxLength={20}
          hint="Id or screen name."
        />
        <Notes error={create.error} />
        <button type="submit" class="primary" disabled={create.isRunning}>
          Register
        </button>
      </form>
      {keys && <Secrets keys={keys} />}
    </Card>
  )
}
