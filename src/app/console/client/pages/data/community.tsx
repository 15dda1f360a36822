import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { numberText, timeText } from '../../format.ts'
import { Facts } from '../../parts/code.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction, useAdmin } from '../../resource.ts'
import { ACCESSES, AccessBadge } from './communities.tsx'
import { Compose } from './compose.tsx'
import { DataPage } from './data-page.tsx'
import type { Community, One } from './model.ts'
import { Posts } from './posts.tsx'

const TABS = [
  ['posts', 'Posts'],
  ['members', 'Members'],
  ['edit', 'Edit'],
] as const
type Tab = (typeof TABS)[number][0]

/** A community with its members and posts. */
export function CommunityPage({ id = '' }: { id?: string }): JSX.Element {
  const { data, error, reload } = useAdmin<One<Community>>(`/communities/${encodeURIComponent(id)}`)
  const [tab, setTab] = useState<Tab>('posts')
  const [turn, setTurn] = useState(0)
  const community = data?.data
  return (
    <DataPage title={community?.name ?? 'Community'} open="/data/communities">
      <Notes error={error} />
      {community ? (
        <div class="with-side reading">
          <div class="stack">
            <Head community={community} />
            <Tabs label="Of the community" value={tab} onValue={setTab} options={TABS}>
              {tab === 'posts' && (
                <Posts
                  path={`/communities/${community.id}/posts?limit=50`}
                  empty="No post yet."
                  turn={turn}
                />
              )}
              {tab === 'members' && <Members community={community} onChange={reload} />}
              {tab === 'edit' && <Edit key={community.id} community={community} onChange={reload} />}
            </Tabs>
          </div>
          <Compose communityId={community.id} onPosted={() => setTurn((before) => before + 1)} />
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

const Head = ({ community }: { community: Community }) => (
  <Card title="About" actions={<AccessBadge of={community} />}>
    {community.description && <p>{community.description}</p>}
    <Facts
      of={[
        ['Members', numberText(community.member_count)],
        ['Joining', community.join_policy],
        ['Created', `${timeText(community.created_at)} UTC`],
        ['Id', <code key="id">{community.id}</code>],
      ]}
    />
  </Card>
)

interface PartProps {
  readonly community: Community
  readonly onChange: () => void
}

function Members({ community, onChange }: PartProps): JSX.Element {
  const path = `/communities/${community.id}/members`
  const { data, error, reload, pager } = usePages<{ id: string; screen_name: string }>(`${path}?limit=50`)
  const [who, setWho] = useState('')
  const change = useAction(async (method: 'PUT' | 'DELETE', user: string) => {
    await call(method, `${path}/${encodeURIComponent(user)}`)
    setWho('')
    reload()
    onChange()
    return undefined
  })
  return (
    <Card>
      <form onSubmit={onSubmit(() => void change.run('PUT', who.trim()))}>
        <Field
          label="Add a member"
          value={who}
          onValue={setWho}
          required
          maxLength={20}
          hint="Id or screen name."
        />
        <Notes error={error ?? change.error} />
        <button type="submit" class="primary" disabled={change.isRunning}>
          Add
        </button>
      </form>
      {data?.data.length === 0 && <Empty>Nobody is a member.</Empty>}
      <ul class="stack tight">
        {data?.data.map(({ id, screen_name }) => (
          <li key={id} class="row">
            <a href={`/data/users/${screen_name}`}>@{screen_name}</a>
            <button type="button" disabled={change.isRunning} onClick={() => void change.run('DELETE', id)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      {pager}
    </Card>
  )
}

function Edit({ community, onChange }: PartProps): JSX.Element {
  const { id, name, description, access } = community
  const [values, setValues] = useState({ name, description, access })
  const change = (member: keyof typeof values) => (value: string) => setValues({ ...values, [member]: value })
  const location = useLocation()
  const save = useAction(async () => {
    await call('PUT', `/communities/${id}`, { body: values })
    onChange()
    return 'Saved.'
  })
  const remove = useAction(async () => {
    await call('DELETE', `/communities/${id}`)
    location.route('/data/communities')
    return undefined
  })
  return (
    <Card>
      <form onSubmit={onSubmit(() => void save.run())}>
        <Field label="Name" value={values.name} onValue={change('name')} required maxLength={60} />
        <Field
          label="Description"
          value={values.description}
          onValue={change('description')}
          rows={3}
          maxLength={300}
        />
        <Choice label="Access" value={values.access} onValue={change('access')} options={ACCESSES} />
        <Notes error={save.error ?? remove.error} done={save.done} />
        <div class="row">
          <button type="submit" class="primary" disabled={save.isRunning}>
            Save
          </button>
          <ConfirmButton
            text="Delete"
            confirm="Delete the community"
            disabled={remove.isRunning}
            onConfirm={() => void remove.run()}
          />
        </div>
      </form>
    </Card>
  )
}
