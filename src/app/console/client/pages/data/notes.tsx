import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { timeText } from '../../format.ts'
import { Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes as Said } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { useAction } from '../../resource.ts'
import { DataPage } from './data-page.tsx'
import type { One } from './model.ts'
import { UserLink } from './user-link.tsx'

interface Note {
  readonly id: string
  readonly author_id: string
  readonly post_id: string
  readonly text: string
  readonly classification: string
  readonly status: string
  readonly test_mode: boolean
  readonly created_at: string
}

/** Community notes, with a form that rates one. */
export function Notes(): JSX.Element {
  const { data, error, reload, pager } = usePages<Note>('/notes?limit=24')
  return (
    <DataPage
      title="Notes"
      about="Community notes on posts, the newest first. What users think of a note decides its status."
      open="/data/notes"
      actions={
        <a class="button" href="/explorer/core/createNote">
          Write one in the explorer
        </a>
      }
    >
      <Said error={error} />
      {!data && !error && <Loading />}
      {data?.data.length === 0 && (
        <Card>
          <Empty>
            There is no note. Make a user a writer of notes on the tab Edit of the profile, and write one as
            this user.
          </Empty>
        </Card>
      )}
      <div class="grid cards">
        {data?.data.map((note) => (
          <NoteCard key={note.id} note={note} onRated={reload} />
        ))}
      </div>
      {pager}
    </DataPage>
  )
}

const HELPFULNESS = [
  ['helpful', 'Helpful'],
  ['somewhat_helpful', 'Somewhat helpful'],
  ['not_helpful', 'Not helpful'],
] as const

function NoteCard({ note, onRated }: { note: Note; onRated: () => void }): JSX.Element {
  const [user, setUser] = useState('')
  const [helpfulness, setHelpfulness] = useState('helpful')
  const rate = useAction(async () => {
    const path = `/notes/${note.id}/ratings/${encodeURIComponent(user.trim().replace(/^@/, ''))}`
    const { data } = await call<One<{ status: string }>>('PUT', path, { body: { helpfulness } })
    onRated()
    return `Rated. Its status is ${worded(data.status)}.`
  })
  return (
    <Card
      title={`Note ${note.id}`}
      actions={
        <>
          {note.test_mode && <span class="badge warn">test</span>}
          <span class="badge">{worded(note.status)}</span>
        </>
      }
    >
      <p class="post-text">{note.text}</p>
      <p class="hint">
        <UserLink id={note.author_id} /> on <a href={`/data/posts/${note.post_id}`}>a post</a>,{' '}
        {timeText(note.created_at)} UTC: {worded(note.classification)}
      </p>
      <form onSubmit={onSubmit(() => void rate.run())}>
        <div class="duo">
          <Field label="Rate as the user" value={user} onValue={setUser} required maxLength={20} />
          <Choice label="The note is" value={helpfulness} onValue={setHelpfulness} options={HELPFULNESS} />
        </div>
        <Said error={rate.error} done={rate.done} />
        <button type="submit" disabled={rate.isRunning}>
          Rate
        </button>
      </form>
    </Card>
  )
}

const worded = (name: string) => name.replaceAll('_', ' ').toLowerCase()
