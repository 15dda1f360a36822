import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { bytesText, timeText } from '../format.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field, FileField, onSubmit } from '../parts/field.tsx'
import { Card, Empty, Loading, Notes, Page } from '../parts/page.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { type Action, useAction, useAdmin } from '../resource.ts'
import type { List, One } from './data/model.ts'

interface Snapshot {
  readonly name: string
  readonly saved_at: string
  readonly clock: { readonly now: string; readonly frozen: boolean }
  readonly bytes: number
}

/** A change of what is saved or of all data: a method, a path, and what to say afterwards. */
type Change = Action<[method: 'POST' | 'DELETE', path: string, done: string]>

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
  const change: Change = useAction(async (method, path, done) => {
    await call(method, path)
    reload()
    return done
  })
  return (
    <Page
      title="Snapshots"
      about={ABOUT}
      actions={
        <ConfirmButton
          text="Reset to the seed"
          confirm="Replace all data by the seed"
          disabled={change.isRunning}
          onConfirm={() => void change.run('POST', '/reset', 'The data is as after the first start.')}
        />
      }
    >
      <Notes error={error ?? change.error} done={change.done} />
      <div class="with-side">
        <Card title="Saved" class="flush">
          {!data && !error && <Loading />}
          {data?.data.length === 0 && (
            <Empty>Nothing is saved yet. Save a snapshot before a test, and restore it afterwards.</Empty>
          )}
          {data && data.data.length > 0 && (
            <Table
              label="Snapshots"
              rows={data.data}
              keyOf={(one) => one.name}
              columns={[...COLUMNS, actionsOf(change)]}
            />
          )}
        </Card>
        <div class="stack">
          <Save onSaved={reload} />
          <Import onImported={reload} />
        </div>
      </div>
    </Page>
  )
}

const COLUMNS: readonly Column<Snapshot>[] = [
  { title: 'Name', cell: (one) => <strong>{one.name}</strong>, sortBy: (one) => one.name },
  {
    title: 'Saved',
    cell: ({ saved_at, clock }) => (
      <span class="stack tight">
        <span class="nowrap">{timeText(saved_at)}</span>
        {(clock.frozen || timeText(clock.now) !== timeText(saved_at)) && (
          <span class="hint nowrap">
            Clock: {timeText(clock.now)}
            {clock.frozen && ', frozen'}
          </span>
        )}
      </span>
    ),
    sortBy: (one) => one.saved_at,
  },
  { title: 'Size', cell: (one) => bytesText(one.bytes), sortBy: (one) => one.bytes, isNumber: true },
]

const actionsOf = ({ run, isRunning }: Change): Column<Snapshot> => ({
  title: 'Actions',
  cell: ({ name }) => (
    <span class="row one-line">
      <button
        type="button"
        disabled={isRunning}
        onClick={() => void run('POST', `/snapshots/${name}/restore`, `Restored ${name}.`)}
      >
        Restore
      </button>
      <a
        class="button"
        href={`/admin/v1/snapshots/${name}/export`}
        target="_self"
        download={`${name}.tar`}
        aria-label={`Export ${name}`}
      >
        Export
      </a>
      <ConfirmButton
        text="Delete"
        confirm={`Delete ${name}`}
        disabled={isRunning}
        onConfirm={() => void run('DELETE', `/snapshots/${name}`, `Deleted ${name}.`)}
      />
    </span>
  ),
})

function Save({ onSaved }: { onSaved: () => void }): JSX.Element {
  const [name, setName] = useState('')
  const save = useAction(async () => {
    const body = name.trim() === '' ? {} : { name: name.trim() }
    const { data } = await call<One<Snapshot>>('POST', '/snapshots', { body })
    setName('')
    onSaved()
    return `Saved ${data.name}.`
  })
  return (
    <Card title="Save">
      <form onSubmit={onSubmit(() => void save.run())}>
        <Field label="Name" value={name} onValue={setName} maxLength={64} hint="Numbered without one." />
        <Notes error={save.error} done={save.done} />
        <button type="submit" class="primary" disabled={save.isRunning}>
          Save
        </button>
      </form>
    </Card>
  )
}

function Import({ onImported }: { onImported: () => void }): JSX.Element {
  const [file, setFile] = useState<File | undefined>()
  const add = useAction(async () => {
    if (!file) throw new Error('Choose a file.')
    const { data } = await call<One<Snapshot>>('POST', '/snapshots/import', { file })
    onImported()
    return `Imported ${data.name}.`
  })
  return (
    <Card title="Import">
      <form onSubmit={onSubmit(() => void add.run())}>
        <FileField
          label="Exported file"
          accept=".tar"
          onFile={setFile}
          required
          hint="Of a Plaza of this version, with the same master key."
        />
        <Notes error={add.error} done={add.done} />
        <button type="submit" disabled={add.isRunning}>
          Import
        </button>
      </form>
    </Card>
  )
}
