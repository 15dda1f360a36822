import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { numberText, timeText } from '../../format.ts'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { useAction } from '../../resource.ts'
import { Avatar, Verified } from './avatar.tsx'
import { DataPage } from './data-page.tsx'
import type { One, User } from './model.ts'

const COLUMNS: readonly Column<User>[] = [
  {
    title: 'User',
    cell: (user) => (
      <a class="person" href={`/data/users/${user.screen_name}`}>
        <Avatar user={user} />
        <span>
          <strong>{user.name}</strong> <Verified user={user} />
          <br />
          <span class="quiet">@{user.screen_name}</span>
        </span>
      </a>
    ),
    sortBy: ({ screen_name }) => screen_name,
  },
  {
    title: 'State',
    cell: (user) => (
      <span class="row">
        {user.suspended && <span class="badge bad">suspended</span>}
        {user.protected && <span class="badge">protected</span>}
      </span>
    ),
  },
  {
    title: 'Posts',
    cell: (one) => numberText(one.post_count),
    sortBy: (one) => one.post_count,
    isNumber: true,
  },
  {
    title: 'Followers',
    cell: (one) => numberText(one.followers_count),
    sortBy: (one) => one.followers_count,
    isNumber: true,
  },
  {
    title: 'Following',
    cell: (one) => numberText(one.following_count),
    sortBy: (one) => one.following_count,
    isNumber: true,
  },
  {
    title: 'Joined',
    cell: ({ created_at }) => <span class="nowrap">{timeText(created_at).slice(0, 10)}</span>,
  },
]

/** Users, by the beginning of their screen names. */
export function Users(): JSX.Element {
  const [prefix, setPrefix] = useState('')
  const named = prefix === '' ? '' : `&screen_name_prefix=${encodeURIComponent(prefix)}`
  const { data, error, pager } = usePages<User>(`/users?limit=50${named}`)
  return (
    <DataPage title="Users" open="/data/users">
      <div class="with-side">
        <Card class="flush">
          <div class="list-head">
            <Field
              label="Screen name begins with"
              bare
              type="search"
              placeholder="Screen name begins with …"
              value={prefix}
              onValue={(value) => setPrefix(value.trim())}
              maxLength={16}
            />
          </div>
          <Notes error={error} />
          {data ? (
            data.data.length === 0 ? (
              <Empty>There is no such user.</Empty>
            ) : (
              <Table label="Users" rows={data.data} columns={COLUMNS} keyOf={({ id }) => id} />
            )
          ) : (
            !error && <Loading />
          )}
          {pager}
        </Card>
        <NewUser />
      </div>
    </DataPage>
  )
}

function NewUser(): JSX.Element {
  const { route } = useLocation()
  const [screenName, setScreenName] = useState('')
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ screen_name: string; password?: string } | undefined>()
  const create = useAction(async () => {
    const body = { screen_name: screenName.trim(), name: name.trim() || screenName.trim() }
    setMade((await call<One<User & { password?: string }>>('POST', '/users', { body })).data)
    return undefined
  })
  return (
    <Card title="New user">
      {made ? (
        <>
          <p class="note good">Created @{made.screen_name}.</p>
          <p>
            Password, shown only now: <code>{made.password}</code>
          </p>
          <button type="button" onClick={() => route(`/data/users/${made.screen_name}`)}>
            Open the profile
          </button>
        </>
      ) : (
        <form onSubmit={onSubmit(() => void create.run())}>
          <Field label="Screen name" value={screenName} onValue={setScreenName} required maxLength={15} />
          <Field label="Name" value={name} onValue={setName} maxLength={50} />
          <Notes error={create.error} />
          <button type="submit" class="primary" disabled={create.isRunning}>
            Create
          </button>
        </form>
      )}
    </Card>
  )
}
