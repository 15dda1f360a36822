import assert from 'node:assert/strict'
import type { Plaza } from '../../src/app/server.ts'
import type { Client, Reply } from './client.ts'

/** The admin API of a Plaza under test. */
export class Admin {
  readonly #plaza: Plaza
  readonly #client: Client

  constructor(plaza: Plaza, client: Client) {
    this.#plaza = plaza
    this.#client = client
  }

  send(method: string, path: string, json?: unknown): Promise<Reply> {
    const url = `${this.#plaza.urls.console}/admin/v1${path}`
    return this.#client.send(method, url, json === undefined ? {} : { json })
  }

  /** A call that succeeds. Resolves to the `data` of the reply. */
  async call<Data = Record<string, unknown>>(method: string, path: string, json?: unknown): Promise<Data> {
    const reply = await this.send(method, path, json)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return (reply.json as { data: Data }).data
  }

  /** A call that is rejected. Resolves to its status and what it says. */
  async wrong(method: string, path: string, json?: unknown): Promise<[status: number, says: string]> {
    const { status, json: body, text } = await this.send(method, path, json)
    const { errors, detail } = (body ?? {}) as { errors?: { message: string }[]; detail?: string }
    return [status, errors?.map(({ message }) => message).join('\n') ?? detail ?? text]
  }

  /** All entries of a list, read in pages of two. */
  async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = []
    for (let token: string | undefined; ; ) {
      const more = `${path.includes('?') ? '&' : '?'}limit=2${token === undefined ? '' : `&pagination_token=${token}`}`
      const reply = await this.send('GET', path + more)
      assert.equal(reply.status, 200, reply.text)
      const { data, meta } = reply.json as {
        data: Item[]
        meta: { result_count: number; next_token?: string }
      }
      assert.equal(meta.result_count, data.length)
      items.push(...data)
      token = meta.next_token
      if (token === undefined) return items
    }
  }
}
