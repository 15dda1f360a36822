import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { AppIdentity } from './identities.ts'
import type { Running } from './running.ts'
import { type Answer, fetchBearer, sendRequest } from './send.ts'

/** A webhook that is registered while a command runs. */
export interface Registered {
  readonly id: string
  remove(): Promise<void>
}

interface RegistrationOptions {
  app: AppIdentity
  running: Running
  vocabulary: Vocabulary
}

/** Registers a webhook as the app. Takes over one that an earlier run could not delete. */
export async function registerWebhook(
  url: string,
  { app, running, vocabulary }: RegistrationOptions,
): Promise<Registered> {
  const authorization = `Bearer ${await fetchBearer(app, running, vocabulary)}`
  const path = vocabulary.path('/2/webhooks')
  const ask = (method: string, target: string, body?: string): Promise<Answer> =>
    sendRequest(
      {
        method,
        url: new URL(running.facts.core_url + target),
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body,
      },
      running,
    )

  async function leftOver(): Promise<string | undefined> {
    const { data } = JSON.parse((await ask('GET', path)).body.toString()) as {
      data?: Record<string, string>[]
    }
    return data?.find((one) => one[vocabulary.name('url')] === url)?.id
  }

  const oneOf = (id: string) => vocabulary.path('/2/webhooks/{webhook_id}').replace(/\{[^}]*\}/, id)
  const made = await ask('POST', path, JSON.stringify({ [vocabulary.name('url')]: url }))
  const id =
    made.status === 200
      ? (JSON.parse(made.body.toString()) as { data: { id: string } }).data.id
      : await leftOver()
  if (id === undefined) throw new Error(`The webhook was not registered: status ${made.status}, ${made.body}`)
  if (made.status !== 200) await ask('PUT', oneOf(id))
  return {
    id,
    async remove() {
      const { status, body } = await ask('DELETE', oneOf(id))
      if (status !== 200) throw new Error(`The webhook ${id} was not deleted: status ${status}, ${body}`)
    },
  }
}
