import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { Code } from '../parts/code.tsx'
import { Choice, Field, onSubmit } from '../parts/field.tsx'
import { Card, Loading, Notes } from '../parts/page.tsx'
import { useAction, useAdmin } from '../resource.ts'
import type { One } from './data/model.ts'

interface ActivityType {
  readonly event_type: string
  readonly needs: 'user' | 'text' | 'app'
  readonly takes_user: boolean
  readonly has_direction: boolean
}

const NO_VALUES = { user: '', text: '', app: '', direction: '', payload: '' }

/** Emits an event as if it had happened. It has the fields of the chosen type only. */
export function Emit(): JSX.Element {
  const { data, error } = useAdmin<One<readonly ActivityType[]>>('/activity_types')
  const [type, setType] = useState('')
  const [values, setValues] = useState(NO_VALUES)
  const [payload, setPayload] = useState<string | undefined>()
  const chosen = data?.data.find(({ event_type }) => event_type === type) ?? data?.data[0]
  const emit = useAction(async () => {
    if (!chosen) return undefined
    setPayload(undefined)
    const reply = await call<One<{ event_type: string; payload: unknown }>>('POST', '/emit', {
      body: bodyOf(chosen, values),
    })
    setPayload(JSON.stringify(reply.data.payload))
    return `Emitted ${reply.data.event_type}: those who subscribed receive it.`
  })
  const field = (name: keyof typeof NO_VALUES, label: string, isNeeded: boolean) => (
    <Field
      label={label}
      value={values[name]}
      onValue={(value) => setValues({ ...values, [name]: value })}
      required={isNeeded}
    />
  )
  return (
    <Card title="Emit an event">
      <Notes error={error} />
      {chosen ? (
        <form onSubmit={onSubmit(() => void emit.run())}>
          <Choice
            label="Event type"
            value={chosen.event_type}
            onValue={setType}
            options={data?.data.map(({ event_type }) => event_type) ?? []}
          />
          {chosen.needs === 'app' && field('app', 'App id', true)}
          {chosen.takes_user && field('user', 'User', chosen.needs === 'user')}
          {chosen.needs === 'text' && field('text', 'Text in which keywords are searched', true)}
          {chosen.has_direction && (
            <Choice
              label="Direction"
              value={values.direction}
              onValue={(direction) => setValues({ ...values, direction })}
              options={[['', 'both'], 'inbound', 'outbound']}
            />
          )}
          <Field
            label="Members of the payload"
            value={values.payload}
            onValue={(text) => setValues({ ...values, payload: text })}
            rows={3}
            mono
            hint="JSON: they replace those that are generated."
          />
          <Notes error={emit.error} done={emit.done} />
          <button type="submit" class="primary" disabled={emit.isRunning}>
            Emit
          </button>
        </form>
      ) : (
        !error && <Loading />
      )}
      {payload !== undefined && <Code label="What subscribers receive" text={payload} json />}
    </Card>
  )
}

/** @throws Error with a sentence about a payload that is no JSON */
function bodyOf(type: ActivityType, values: typeof NO_VALUES): object {
  const given = (name: keyof typeof NO_VALUES) => values[name].trim()
  return {
    event_type: type.event_type,
    ...(type.takes_user && given('user') !== '' && { user: given('user').replace(/^@/, '') }),
    ...(type.needs === 'text' && { text: given('text') }),
    ...(type.needs === 'app' && { app: given('app') }),
    ...(type.has_direction && given('direction') !== '' && { direction: given('direction') }),
    ...(given('payload') !== '' && { with: payloadOf(given('payload')) }),
  }
}

function payloadOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The payload is no JSON: ${(error as Error).message}`)
  }
}
