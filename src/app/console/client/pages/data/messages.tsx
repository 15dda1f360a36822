import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { timeText } from '../../format.ts'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { useAction, useAdmin, useResource } from '../../resource.ts'
import { type List, type Message, type User, userWith } from './model.ts'

/** The direct messages of a user, by conversation, and a form that sends one. */
export function Messages({ user }: { user: User }): JSX.Element {
  const { data, error, reload } = useAdmin<List<Message>>(`/users/${user.id}/direct_messages?limit=100`)
  const [recipient, setRecipient] = useState('')
  const [text, setText] = useState('')
  const send = useAction(async () => {
    await call('POST', '/direct_messages', { body: { from: user.id, to: [recipient.trim()], text } })
    setText('')
    reload()
    return 'Sent.'
  })
  const conversations = Map.groupBy(data?.data ?? [], ({ conversation_id }) => conversation_id)
  return (
    <div class="stack">
      <Card title="New message">
        <form onSubmit={onSubmit(() => void send.run())}>
          <Field label="To" value={recipient} onValue={setRecipient} required maxLength={20} />
          <Field label="Text" value={text} onValue={setText} rows={2} required />
          <Notes error={send.error} done={send.done} />
          <button type="submit" disabled={send.isRunning}>
            Send
          </button>
        </form>
      </Card>
      <Notes error={error} />
      {!data && !error && <Loading />}
      {data?.data.length === 0 && <Empty>No message yet.</Empty>}
      {[...conversations].map(([id, messages]) => (
        <Conversation key={id} user={user} messages={messages} />
      ))}
    </div>
  )
}

function Conversation({ user, messages }: { user: User; messages: readonly Message[] }): JSX.Element {
  const [first] = messages as readonly [Message]
  const others = [...new Set(messages.map(({ sender_id }) => sender_id))]
  const { data: names } = useResource(others.join(), async () => {
    const users = await Promise.all(others.map(userWith))
    return new Map(users.flatMap((one) => (one ? [[one.id, one.name] as const] : [])))
  })
  return (
    <Card title={`Conversation ${first.conversation_id}`}>
      <ol class="messages">
        {messages.toReversed().map((message) => (
          <li key={message.id} class={message.sender_id === user.id ? 'own' : ''}>
            <span class="hint">
              {names?.get(message.sender_id) ?? message.sender_id}, {timeText(message.created_at)}
            </span>
            <span class="bubble">{message.text}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
