import type { Plaza } from '../../src/app/server.ts'
import type { Client, Keys, Reply } from './client.ts'

type Decided = 'sign-in' | 'approve' | 'cancel'

/**
 * A user with a browser, as far as the pages need one: keeps cookies, fills in forms, follows no
 * redirects.
 */
export class Visitor {
  readonly cookies: Map<string, string>
  readonly #client: Client

  /** `cookies` are those that the browser has already. */
  constructor(client: Client, cookies: ReadonlyMap<string, string> = new Map()) {
    this.#client = client
    this.cookies = new Map(cookies)
  }

  async get(target: string, headers: Record<string, string> = {}): Promise<Reply> {
    const sent = { headers: { ...this.#headers(), ...headers } }
    return this.#keep(await this.#client.send('GET', target, sent))
  }

  /** Submits the form of a page with the entered values, with one of its buttons. */
  async press(
    page: Reply,
    decision: Decided,
    typed: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const form = { ...hiddenFields(page.text), decision, ...typed }
    const sent = { form, headers: { ...this.#headers(), ...headers } }
    return this.#keep(await this.#client.send('POST', actionOf(page.text), sent))
  }

  /** From the page of a request token to the result of the decision, signing in if requested. */
  async answer(target: string, user: { screenName: string; password: string }, decision: Decided) {
    let page = await this.get(target)
    if (isSignIn(page)) {
      const signedIn = await this.press(page, 'sign-in', {
        screen_name: user.screenName,
        password: user.password,
      })
      if (signedIn.status !== 303) return signedIn
      page = await this.get(signedIn.headers.location ?? '')
    }
    return page.status === 200 ? this.press(page, decision) : page
  }

  #headers(): Record<string, string> {
    if (this.cookies.size === 0) return {}
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  #keep(reply: Reply): Reply {
    const [name, value] = reply.headers['set-cookie']?.split(';')[0]?.split('=') ?? []
    if (name !== undefined && value !== undefined) this.cookies.set(name, value)
    return reply
  }
}

export const isSignIn = (page: Reply) => page.text.includes('name="password"')

/** The text of a page, without markup and style sheet. */
export function textOf(page: Reply): string {
  return page.text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export function hiddenFields(page: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="(\w+)" value="([^"]*)">/g,
  ))
    fields[name] = value.replaceAll('&amp;', '&')
  return fields
}

function actionOf(page: string): string {
  const action = /<form method="post" action="([^"]+)">/.exec(page)?.[1]
  if (action === undefined) throw new Error(`the page has no form: ${page}`)
  return action
}

/** The first step of a sign-in, by an app. */
export async function requestToken(client: Client, app: Keys, form: Record<string, string>) {
  const { consumerKey, consumerSecret } = app
  const reply = await client.signed('POST', '/oauth/request_token', { consumerKey, consumerSecret }, { form })
  const values = new URLSearchParams(reply.text)
  return {
    reply,
    keys: {
      consumerKey,
      consumerSecret,
      token: values.get('oauth_token') ?? '',
      tokenSecret: values.get('oauth_token_secret') ?? '',
    },
  }
}

/** The last step. */
export async function exchange(client: Client, pending: Keys, verifier: string) {
  const form = { oauth_verifier: verifier }
  const reply = await client.signed('POST', '/oauth/access_token', pending, { form })
  const values = new URLSearchParams(reply.text)
  return {
    reply,
    keys: {
      consumerKey: pending.consumerKey,
      consumerSecret: pending.consumerSecret,
      token: values.get('oauth_token') ?? '',
      tokenSecret: values.get('oauth_token_secret') ?? '',
    },
    userId: values.get('user_id'),
    screenName: values.get('screen_name'),
  }
}

/** Of the redirect that follows an approval. */
export const verifierOf = (reply: Reply) =>
  new URL(reply.headers.location ?? '').searchParams.get('oauth_verifier') ?? ''

export const pinOf = (page: Reply) => /id="pin">([0-9]+)</.exec(page.text)?.[1] ?? ''

/** The first code of a legacy error. */
export const codeOf = (reply: Reply) =>
  (reply.json as { errors?: { code: number }[] } | undefined)?.errors?.[0]?.code

/** A user that the demo made. */
export function demoUser(plaza: Plaza, screenName: string) {
  const user = plaza.seeded?.users.find((one) => one.screenName === screenName)
  if (!user) throw new Error(`the demo has no user ${screenName}`)
  return user
}
