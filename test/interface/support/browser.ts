import assert from 'node:assert/strict'
import type { Reply } from './client.ts'
import { send, type World } from './world.ts'

/** A user with a browser: keeps cookies, fills in forms, follows no redirects. */
export class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  get(target: string): Promise<Reply> {
    return this.#send({ send: `GET ${target}` })
  }

  /** Submits the form of a page with the entered values, with one of its buttons. */
  press(page: Reply, decision: string, typed: Record<string, string> = {}): Promise<Reply> {
    const action = /<form method="post" action="([^"]+)">/.exec(page.text)?.[1]
    assert.ok(action, `the page has no form: ${page.text}`)
    const hidden = page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
    const form = Object.fromEntries(
      [...hidden].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
    )
    return this.#send({ send: `POST {base_url}${action}`, form: { ...form, decision, ...typed } })
  }

  /** Signs a user in on the page of a request token; resolves to the page that asks for access. */
  async signIn(target: string, user: { screen_name: string; password: string }): Promise<Reply> {
    const { screen_name, password } = user
    const page = await this.get(target)
    assert.match(page.text, /name="screen_name"/)
    const reply = await this.press(page, 'sign-in', { screen_name, password })
    assert.equal(reply.status, 303)
    return this.get(`{base_url}${reply.headers.location}`)
  }

  async #send(request: Pick<Parameters<typeof send>[1], 'send' | 'form'>): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await send(this.#world, {
      ...request,
      as: 'anonymous',
      headers: { ...(cookie && { cookie }) },
    })
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      this.#cookies.set(name, value)
    }
    return reply
  }
}
