import { createHash } from 'node:crypto'
import type { AppKeys } from '../../src/identity/apps/apps.ts'
import { basicHeader } from '../../src/identity/auth/basic.ts'
import type { Client, Reply } from './client.ts'
import { Visitor } from './visitor.ts'

export const REDIRECT = 'https://app.example.com/callback'
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

interface Person {
  screenName: string
  password: string
}

/** What an app asks for on the page; `more` replaces some of it, undefined leaves it out. */
export function pageOf(app: AppKeys, more: Record<string, string | undefined> = {}): string {
  const asked: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: REDIRECT,
    scope: 'post.read users.read offline.access',
    state: 'a state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  }
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `/2/oauth2/authorize?${pairs.join('&')}`
}

/** Someone allows access. Resolves to what the app gets in its callback. */
export async function consent(
  client: Client,
  page: string,
  user: Person,
  visitor = new Visitor(client),
): Promise<URLSearchParams> {
  const reply = await visitor.answer(page, user, 'approve')
  if (reply.status !== 302) throw new Error(`no redirect: ${reply.status} ${reply.text}`)
  return new URL(reply.headers.location ?? '').searchParams
}

/** A call of the token endpoint, or another, by a client. */
export function asClient(
  client: Client,
  { clientId = '', clientSecret }: Pick<AppKeys, 'clientId' | 'clientSecret'>,
  form: Record<string, string>,
  path = '/2/oauth2/token',
): Promise<Reply> {
  if (clientSecret === undefined) return client.send('POST', path, { form: { client_id: clientId, ...form } })
  return client.send('POST', path, { form, headers: { authorization: basicHeader(clientId, clientSecret) } })
}

export const exchangeOf = (code: string, more: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  ...more,
})

export const refreshOf = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token })

export interface Tokens {
  token_type: string
  expires_in: number
  access_token: string
  scope: string
  refresh_token: string
}

/** From the page to the tokens. */
export async function tokensFor(
  client: Client,
  app: AppKeys,
  user: Person,
  more: Record<string, string> = {},
): Promise<Tokens> {
  const answer = await consent(client, pageOf(app, more), user)
  const reply = await asClient(client, app, exchangeOf(answer.get('code') ?? ''))
  if (reply.status !== 200) throw new Error(`no tokens: ${reply.status} ${reply.text}`)
  return reply.json as Tokens
}

export const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
