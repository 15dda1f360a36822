import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Notes } from '../../parts/page.tsx'
import { useAction } from '../../resource.ts'

interface ComposeProps {
  /** The screen name of the author; typed if it is missing. */
  readonly author?: string
  readonly replyTo?: string
  /** The community to post in. */
  readonly communityId?: string
  readonly onPosted: () => void
}

/** Publishes a post as any user. */
export function Compose({ author: given, replyTo, communityId, onPosted }: ComposeProps): JSX.Element {
  const [text, setText] = useState('')
  const [typed, setTyped] = useState('')
  const publish = useAction(async () => {
    const author = given ?? typed.trim()
    const body = {
      ...{ author, text },
      ...(replyTo !== undefined && { in_reply_to_post_id: replyTo }),
      ...(communityId !== undefined && { community_id: communityId }),
    }
    await call('POST', '/posts', { body })
    setText('')
    onPosted()
    return 'Published.'
  })
  return (
    <Card title={replyTo === undefined ? 'New post' : 'Reply'}>
      <form onSubmit={onSubmit(() => void publish.run())}>
        {given === undefined && (
          <Field label="Author" value={typed} onValue={setTyped} required maxLength={20} />
        )}
        <Field label="Text" value={text} onValue={setText} rows={3} required />
        <Notes error={publish.error} done={publish.done} />
        <button type="submit" class="primary" disabled={publish.isRunning}>
          {replyTo === undefined ? 'Publish' : 'Reply'}
        </button>
      </form>
    </Card>
  )
}
