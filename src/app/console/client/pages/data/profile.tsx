import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { numberText, timeText } from '../../format.ts'
import { Facts } from '../../parts/code.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Check, Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction, useAdmin } from '../../resource.ts'
import { Avatar, Verified } from './avatar.tsx'
import { Compose } from './compose.tsx'
import { DataPage } from './data-page.tsx'
import { Messages } from './messages.tsx'
import { forgetUsers, type List, type One, type User } from './model.ts'
import { Posts } from './posts.tsx'

const TABS = [
  ['posts', 'Posts'],
  ['following', 'Following'],
  ['messages', 'Messages'],
  ['edit', 'Edit'],
] as const
type Tab = (typeof TABS)[number][0]

/** A user as others see the profile, with everything that can be changed. */
export function Profile({ user: who = '' }: { user?: string }): JSX.Element {
  const { data, error, reload } = useAdmin<One<User>>(`/users/${encodeURIComponent(who)}`)
  const [tab, setTab] = useState<Tab>('posts')
  const [turn, setTurn] = useState(0)
  const user = data?.data
  return (
    <DataPage title={user?.name ?? 'User'} open="/data/users">
      <Notes error={error} />
      {user ? (
        <div class="with-side reading">
          <div class="stack">
            <Head user={user} />
            <Tabs label="Of the user" value={tab} onValue={setTab} options={TABS}>
              {tab === 'posts' && (
                <Posts path={`/users/${user.id}/posts?limit=50`} empty="No post yet." turn={turn} />
              )}
              {tab === 'following' && <Following user={user} />}
              {tab === 'messages' && <Messages user={user} />}
              {tab === 'edit' && <Edit key={user.id} user={user} onChange={reload} />}
            </Tabs>
          </div>
          <div class="stack">
            <Compose
              author={user.screen_name}
              onPosted={() => {
                setTurn((before) => before + 1)
                reload()
              }}
            />
            <More user={user} />
          </div>
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

const Head = ({ user }: { user: User }) => (
  <section class="card profile" aria-label="Profile">
    <div class="banner" />
    <Avatar user={user} large />
    <div>
      <h2>
        {user.name} <Verified user={user} />
      </h2>
      <p class="quiet">@{user.screen_name}</p>
    </div>
    {user.description && <p class="post-text">{user.description}</p>}
    <p class="row quiet">
      {user.location && <span>{user.location}</span>}
      <span>Joined {timeText(user.created_at).slice(0, 10)}</span>
      {user.suspended && <span class="badge bad">suspended</span>}
      {user.protected && <span class="badge">protected</span>}
    </p>
    <p class="row">
      <span>
        <strong>{numberText(user.following_count)}</strong> following
      </span>
      <span>
        <strong>{numberText(user.followers_count)}</strong> followers
      </span>
      <span>
        <strong>{numberText(user.post_count)}</strong> posts
      </span>
    </p>
  </section>
)

const More = ({ user }: { user: User }) => (
  <Card title="More">
    <Facts
      of={[
        ['Id', <code key="id">{user.id}</code>],
        ['Badge', user.verified_type],
        ['Subscription', user.subscription_type],
      ]}
    />
    <ul class="stack tight">
      <li>
        <a href={`/explorer/core/createPost?as=${user.screen_name}`}>Publish through the API</a>
      </li>
      <li>
        <a href={`/journal?text=${user.id}`}>Requests about the user</a>
      </li>
    </ul>
  </Card>
)

function Following({ user }: { user: User }): JSX.Element {
  const { data, error, reload } = useAdmin<List<{ id: string; screen_name: string; name?: string }>>(
    `/users/${user.id}/following?limit=200`,
  )
  const [target, setTarget] = useState('')
  const follow = useAction(async (method: 'PUT' | 'DELETE', who: string) => {
    await call(method, `/users/${user.id}/following/${encodeURIComponent(who)}`)
    forgetUsers()
    reload()
    setTarget('')
    return undefined
  })
  return (
    <Card>
      <form onSubmit={onSubmit(() => void follow.run('PUT', target.trim()))}>
        <Field
          label="Follow"
          value={target}
          onValue={setTarget}
          required
          maxLength={20}
          hint="Id or screen name."
        />
        <Notes error={error ?? follow.error} />
        <button type="submit">Follow</button>
      </form>
      {data?.data.length === 0 && <Empty>Follows nobody.</Empty>}
      <ul class="stack tight">
        {data?.data.map((other) => (
          <li key={other.id} class="row between">
            <a href={`/data/users/${other.screen_name}`}>@{other.screen_name}</a>
            <button type="button" onClick={() => void follow.run('DELETE', other.id)}>
              Unfollow
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Edit({ user, onChange }: { user: User; onChange: () => void }): JSX.Element {
  const [draft, setDraft] = useState(() => ({
    ...{ name: user.name, description: user.description, location: user.location },
    ...{ protected: user.protected, suspended: user.suspended, verified_type: user.verified_type },
    note_writer: user.note_writer,
  }))
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed })
  const save = useAction(async () => {
    await call('PUT', `/users/${user.id}`, { body: draft })
    forgetUsers()
    onChange()
    return 'Saved.'
  })
  const [password, setPassword] = useState<string | undefined>()
  const rotate = useAction(async () => {
    setPassword(
      (await call<One<{ password: string }>>('POST', `/users/${user.id}/rotate_password`)).data.password,
    )
    return undefined
  })
  return (
    <Card>
      <form onSubmit={onSubmit(() => void save.run())}>
        <Field label="Name" value={draft.name} onValue={(name) => change({ name })} required maxLength={50} />
        <Field
          label="Description"
          value={draft.description}
          onValue={(description) => change({ description })}
          rows={3}
        />
        <Field
          label="Location"
          value={draft.location}
          onValue={(location) => change({ location })}
          maxLength={30}
        />
        <Choice
          label="Badge"
          value={draft.verified_type}
          onValue={(verified_type) => change({ verified_type })}
          options={['none', 'blue', 'business', 'government']}
        />
        <Choice
          label="Writes community notes"
          value={draft.note_writer ?? ''}
          onValue={(level) => change({ note_writer: level || null })}
          options={[['', 'no'], 'regular', 'top']}
        />
        <Check
          label="Protected"
          checked={draft.protected}
          onValue={(value) => change({ protected: value })}
        />
        <Check label="Suspended" checked={draft.suspended} onValue={(suspended) => change({ suspended })} />
        <Notes error={save.error ?? rotate.error} done={save.done} />
        <div class="row">
          <button type="submit" class="primary" disabled={save.isRunning}>
            Save
          </button>
          <button type="button" disabled={rotate.isRunning} onClick={() => void rotate.run()}>
            New password
          </button>
        </div>
        {password !== undefined && (
          <p class="note good">
            Password, shown only now: <code>{password}</code>
          </p>
        )}
      </form>
      <Delete user={user} />
    </Card>
  )
}

/** Deletes the user, after a second click. */
function Delete({ user }: { user: User }): JSX.Element {
  const { route } = useLocation()
  const remove = useAction(async () => {
    await call('DELETE', `/users/${user.id}`)
    forgetUsers()
    route('/data/users')
    return undefined
  })
  return (
    <div class="stack tight">
      <Notes error={remove.error} />
      <ConfirmButton
        text="Delete the user"
        confirm={`Delete @${user.screen_name} and all that belongs to the user`}
        disabled={remove.isRunning}
        onConfirm={() => void remove.run()}
      />
    </div>
  )
}
