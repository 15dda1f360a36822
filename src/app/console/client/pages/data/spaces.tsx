import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { timeText } from '../../format.ts'
import { Facts } from '../../parts/code.tsx'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { useAction } from '../../resource.ts'
import { DataPage } from './data-page.tsx'
import type { One } from './model.ts'
import { UserLink } from './user-link.tsx'

interface Space {
  readonly id: string
  readonly state: 'scheduled' | 'live' | 'ended'
  readonly title: string
  readonly creator_id: string
  readonly speaker_ids: readonly string[]
  readonly starts_at: string
  readonly ends_at: string | null
}

const KINDS: Readonly<Record<Space['state'], string>> = { scheduled: 'info', live: 'good', ended: '' }

/** Spaces: all of them, and a form that starts or schedules one. */
export function Spaces(): JSX.Element {
  const { data, error, reload, pager } = usePages<Space>('/spaces?limit=50')
  const change = useAction(async (path: string) => {
    await call('POST', path)
    reload()
    return undefined
  })
  return (
    <DataPage
      title="Spaces"
      about="Live audio conversations: scheduled ones start when their time has come."
      open="/data/spaces"
    >
      <Notes error={error ?? change.error} />
      <div class="with-side">
        <div class="stack">
          {!data && !error && <Loading />}
          {data?.data.length === 0 && (
            <Card>
              <Empty>There is no space. Start one with the form.</Empty>
            </Card>
          )}
          <div class="grid cards">
            {data?.data.map((space) => (
              <SpaceCard
                key={space.id}
                space={space}
                isBusy={change.isRunning}
                onChange={(verb) => void change.run(`/spaces/${space.id}/${verb}`)}
              />
            ))}
          </div>
          {pager}
        </div>
        <NewSpace onMade={reload} />
      </div>
    </DataPage>
  )
}

interface SpaceCardProps {
  readonly space: Space
  readonly isBusy: boolean
  readonly onChange: (verb: 'start' | 'end') => void
}

const SpaceCard = ({ space, isBusy, onChange }: SpaceCardProps) => (
  <Card title={space.title} actions={<span class={`badge ${KINDS[space.state]}`}>{space.state}</span>}>
    <Facts
      of={[
        ['Host', <UserLink key="host" id={space.creator_id} />],
        ['Starts', `${timeText(space.starts_at)} UTC`],
        ...(space.ends_at === null ? [] : [['Ends', `${timeText(space.ends_at)} UTC`] as const]),
        ['Speakers', String(space.speaker_ids.length)],
        ['Id', <code key="id">{space.id}</code>],
      ]}
    />
    {space.state !== 'ended' && (
      <div class="row">
        {space.state === 'scheduled' && (
          <button type="button" disabled={isBusy} onClick={() => onChange('start')}>
            Start now
          </button>
        )}
        <button type="button" class="danger" disabled={isBusy} onClick={() => onChange('end')}>
          {space.state === 'live' ? 'End' : 'Cancel it'}
        </button>
      </div>
    )}
  </Card>
)

const EMPTY = { creator: '', title: '', starts_at: '', minutes: '' }

function NewSpace({ onMade }: { onMade: () => void }): JSX.Element {
  const [values, setValues] = useState(EMPTY)
  const change = (name: keyof typeof EMPTY) => (value: string) => setValues({ ...values, [name]: value })
  const create = useAction(async () => {
    const { minutes, starts_at, creator, title } = values
    const body = {
      ...{ creator: creator.trim().replace(/^@/, ''), title: title.trim() },
      ...(starts_at.trim() !== '' && { starts_at: starts_at.trim() }),
      ...(minutes.trim() !== '' && { minutes: Number(minutes) }),
    }
    const { data } = await call<One<Space>>('POST', '/spaces', { body })
    setValues(EMPTY)
    onMade()
    return data.state === 'live' ? 'It is live.' : 'It is scheduled.'
  })
  return (
    <Card title="New space">
      <form onSubmit={onSubmit(() => void create.run())}>
        <Field label="Title" value={values.title} onValue={change('title')} required maxLength={200} />
        <Field
          label="Host"
          value={values.creator}
          onValue={change('creator')}
          required
          maxLength={20}
          hint="Id or screen name."
        />
        <Field
          label="Starts"
          value={values.starts_at}
          onValue={change('starts_at')}
          hint="Such as +2h; now if it is empty."
          maxLength={100}
        />
        <Field
          label="Minutes"
          value={values.minutes}
          onValue={change('minutes')}
          hint="Until it is ended, if it is empty."
          maxLength={4}
        />
        <Notes error={create.error} done={create.done} />
        <button type="submit" class="primary" disabled={create.isRunning}>
          Create
        </button>
      </form>
    </Card>
  )
}
