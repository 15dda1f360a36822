import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { numberText } from '../../format.ts'
import { Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { useAction } from '../../resource.ts'
import { DataPage } from './data-page.tsx'
import type { Community, One } from './model.ts'

export const ACCESSES = ['Public', 'Closed'] as const

/** Communities: all of them, and a form that makes one. */
export function Communities(): JSX.Element {
  const { data, error, reload, pager } = usePages<Community>('/communities?limit=50')
  return (
    <DataPage
      title="Communities"
      about="Members write posts in them. Only members see the posts of a closed one."
      open="/data/communities"
    >
      <Notes error={error} />
      <div class="with-side">
        <div class="stack">
          {!data && !error && <Loading />}
          {data?.data.length === 0 && (
            <Card>
              <Empty>There is no community. Create one with the form.</Empty>
            </Card>
          )}
          <div class="grid cards">
            {data?.data.map((one) => (
              <Card key={one.id} title={one.name} actions={<AccessBadge of={one} />}>
                {one.description && <p>{one.description}</p>}
                <p>
                  <a href={`/data/communities/${one.id}`}>{numberText(one.member_count)} members</a>
                </p>
              </Card>
            ))}
          </div>
          {pager}
        </div>
        <NewCommunity onMade={reload} />
      </div>
    </DataPage>
  )
}

export const AccessBadge = ({ of: { access } }: { of: Community }) => (
  <span class={`badge ${access === 'Public' ? 'good' : 'warn'}`}>{access.toLowerCase()}</span>
)

const EMPTY = { name: '', description: '', access: 'Public', members: '' }

function NewCommunity({ onMade }: { onMade: () => void }): JSX.Element {
  const [values, setValues] = useState(EMPTY)
  const change = (name: keyof typeof EMPTY) => (value: string) => setValues({ ...values, [name]: value })
  const create = useAction(async () => {
    const { name, description, access } = values
    const members = values.members.split(',').map((one) => one.trim())
    const body = { name: name.trim(), description, access, members: members.filter(Boolean) }
    await call<One<Community>>('POST', '/communities', { body })
    setValues(EMPTY)
    onMade()
    return 'Created.'
  })
  return (
    <Card title="New community">
      <form onSubmit={onSubmit(() => void create.run())}>
        <Field label="Name" value={values.name} onValue={change('name')} required maxLength={60} />
        <Field
          label="Description"
          value={values.description}
          onValue={change('description')}
          rows={3}
          maxLength={300}
        />
        <Choice label="Access" value={values.access} onValue={change('access')} options={ACCESSES} />
        <Field
          label="Members"
          value={values.members}
          onValue={change('members')}
          hint="Ids or screen names, with commas between them."
        />
        <Notes error={create.error} done={create.done} />
        <button type="submit" class="primary" disabled={create.isRunning}>
          Create
        </button>
      </form>
    </Card>
  )
}
