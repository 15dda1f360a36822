import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { bytesText, timeText } from '../format.ts'
import { Field, onSubmit } from '../parts/field.tsx'
import { Card, Empty, Loading, Notes, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { useAction, useAdmin } from '../resource.ts'
import type { List, One } from './data/model.ts'

interface Snapshot {
  readonly name: string
  readonly saved_at: string
  readonly clock: { readonly now: string; readonly frozen: boolean }
  readonly bytes: number
}

const ABOUT = 'All data as it was at one moment: posts, messages, media, tokens, limits and the clock.'

/** Saves all data, and brings it back. Says how else, where Plaza cannot. */
export function Snapshots(): JSX.Element {
  const { data, error } = useAdmin<One<{ snapshots_unavailable?: string }>>('/status')
  if (data && data.data.snapshots_unavailable === undefined) return <SavedSnapshots />
  return (
    <Page title="Snapshots" about={ABOUT}>
      <Notes error={error} />
      {data ? (
        <Card>
          <Empty>{data.data.snapshots_unavailable}</Empty>
        </Card>
      ) : (
        !error && <Loading />
      )}
    </Page>
  )
}

function SavedSnapshots(): JSX.Element {
  const { data, error, reload } = useAdmin<List<Snapshot>>('/snapshots')
  const [name, setName] = useState('')
  const save = useAction(async () => {
    const body = name.trim() === '' ? {} : { name: name.trim() }
    await call('POST', '/snapshots', { body })
    setName('')
    reload()
    return 'Saved.'
  })
  const act = useAction(async (method: 'POST' | 'DELETE', path: string, done: string) => {
    await call(method, path)
    reload()
    return done
  })
  const isBusy = save.isRunning || act.isRunning
  return (
    <Page
      title="Snapshots"
      about={ABOUT}
      actions={
        <button
          type="button"
          class="danger"
          disabled={isBusy}
          onClick={() => void act.run('POST', '/reset', 'The data is as after the first start.')}
        >
          Reset to the seed
        </button>
      }
    >
      <Notes error={error ?? save.error ?? act.error} done={save.done ?? act.done} />
      <Card title="Save">
        <form class="search-row" onSubmit={onSubmit(() => void save.run())}>
          <Field
            label="Name of the snapshot"
            bare
            placeholder="Name (optional)"
            value={name}
            onValue={setName}
            maxLength={64}
          />
          <button type="submit" class="primary" disabled={isBusy}>
            Save
          </button>
        </form>
      </Card>
      <Card title="Saved" class="flush">
        {!data && !error && <Loading />}
        {data?.data.length === 0 && <Empty>Nothing is saved yet.</Empty>}
        {data && data.data.length > 0 && (
          <Table
            label="Snapshots"
            rows={data.data}
            keyOf={(one) => one.name}
            columns={[
              { title: 'Name', cell: (one) => <strong>{one.name}</strong>, sortBy: (one) => one.name },
              { title: 'Saved', cell: (one) => timeText(one.saved_at), sortBy: (one) => one.saved_at },
              {
                title: 'Clock',
                cell: (one) => `${timeText(one.clock.now)}${one.clock.frozen ? ' (frozen)' : ''}`,
              },
              {
                title: 'Size',
                cell: (one) => bytesText(one.bytes),
                sortBy: (one) => one.bytes,
                isNumber: true,
              },
              {
                title: 'Actions',
                cell: (one) => (
                  <span class="row">
                    <button
                      type="button"
                      disabled={isBusy}
                      onClick={() =>
                        void act.run('POST', `/snapshots/${one.name}/restore`, `Restored ${one.name}.`)
                      }
                    >
                      Restore
                    </button>
                    <a
                      class="button"
                      href={`/admin/v1/snapshots/${one.name}/export`}
                      target="_self"
                      download={`${one.name}.tar`}
                    >
                      Export
                    </a>
                    <button
                      type="button"
                      class="danger"
                      disabled={isBusy}
                      onClick={() => void act.run('DELETE', `/snapshots/${one.name}`, `Deleted ${one.name}.`)}
                    >
                      Delete
                    </button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Card>
    </Page>
  )
}
