import { Agent, request as send } from 'undici'
import { encode } from '../../platform/common/percent.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import type { Running } from './running.ts'

/** A complete response. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The bytes as received. */
  body: Buffer
}

export interface Outgoing {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | undefined
}

const TIMEOUT_MS = 60_000

/** Sends a request. The local authority is trusted only for the running Plaza. */
export async function sendRequest(outgoing: Outgoing, running: Running | undefined): Promise<Answer> {
  const { method, url, headers, body } = outgoing
  const ca = running && isOurs(url, running) ? running.caPem : undefined
  const dispatcher = new Agent({
    connect: { ...(ca !== undefined && { ca }), timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  try {
    const answer = await send(url, {
      method: method as 'GET',
      headers,
      dispatcher,
      ...(body !== undefined && { body }),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: Buffer.from(await answer.body.arrayBuffer()),
    }
  } catch (error) {
    throw new Error(unreachable(url, error), { cause: error })
  } finally {
    await dispatcher.close()
  }
}

function isOurs(url: URL, { facts }: Running): boolean {
  return [facts.core_url, facts.ads_url, facts.ads_sandbox_url].includes(url.origin)
}

function unreachable(url: URL, error: unknown): string {
  return errorCode(error) === 'ECONNREFUSED'
    ? `Cannot connect to ${url.origin}. Is Plaza running? Start it with "plaza start".`
    : `Cannot connect to ${url.origin}: ${(error as Error).message}`
}

/** `Basic …` of an app. Both parts are percent-encoded first (see the reference). */
export function basicOf(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${encode(key)}:${encode(secret)}`).toString('base64')}`
}

/** The bearer token of an app. */
export async function fetchBearer(
  app: { consumer_key: string; consumer_secret: string },
  running: Running,
  vocabulary: Vocabulary,
): Promise<string> {
  const { status, body } = await sendRequest(
    {
      method: 'POST',
      url: new URL(running.facts.core_url + vocabulary.path('/oauth2/token')),
      headers: {
        authorization: basicOf(app.consumer_key, app.consumer_secret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `${vocabulary.name('grant_type')}=client_credentials`,
    },
    running,
  )
  const text = body.toString()
  const token = status === 200 ? member(text, vocabulary.name('access_token')) : undefined
  if (typeof token !== 'string') throw new Error(`The app got no bearer token: status ${status}, ${text}`)
  return token
}

function member(body: string, name: string): unknown {
  try {
    return (JSON.parse(body) as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}
