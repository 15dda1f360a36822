import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field } from '../../parts/field.tsx'
import { Card, Loading, Notes } from '../../parts/page.tsx'
import { useAction, useAdmin } from '../../resource.ts'
import { Compose } from './compose.tsx'
import { DataPage } from './data-page.tsx'
import type { One, Post } from './model.ts'
import { Posts } from './posts.tsx'

/** A post with its conversation. */
export function Thread({ id = '' }: { id?: string }): JSX.Element {
  const { data, error } = useAdmin<One<Post>>(`/posts/${encodeURIComponent(id)}`)
  const [turn, setTurn] = useState(0)
  const again = () => setTurn((before) => before + 1)
  const post = data?.data
  return (
    <DataPage title="Thread" open="/data/users">
      <Notes error={error} />
      {post ? (
        <div class="with-side reading">
          <Posts
            path={`/conversations/${post.conversation_id}/posts?limit=100`}
            empty="The conversation is empty."
            open={post.id}
            turn={turn}
          />
          <div class="stack">
            <Compose replyTo={post.id} onPosted={again} />
            <React post={post} onChange={again} />
          </div>
        </div>
      ) : (
        !error && <Loading />
      )}
    </DataPage>
  )
}

function React({ post, onChange }: { post: Post; onChange: () => void }): JSX.Element {
  const [who, setWho] = useState('')
  const react = useAction(async (method: 'PUT' | 'DELETE', reaction: 'likes' | 'reposts') => {
    if (who.trim() === '') throw new Error('Enter the user.')
    await call(method, `/users/${encodeURIComponent(who.trim())}/posts/${post.id}/${reaction}`)
    onChange()
    return 'Done.'
  })
  return (
    <Card title="React">
      <Field label="As the user" value={who} onValue={setWho} maxLength={20} />
      <Notes error={react.error} done={react.done} />
      <div class="row">
        <button type="button" onClick={() => void react.run('PUT', 'likes')}>
          Like
        </button>
        <button type="button" onClick={() => void react.run('DELETE', 'likes')}>
          Unlike
        </button>
        <button type="button" onClick={() => void react.run('PUT', 'reposts')}>
          Repost
        </button>
      </div>
    </Card>
  )
}
