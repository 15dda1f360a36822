import assert from 'node:assert/strict'
import type { Plaza } from '../../src/app/server.ts'
import { dataOf, listOf, newPerson, type Person } from './ads-desk.ts'
import { product, stock } from './catalogs.ts'
import type { Client, Reply } from './client.ts'

/** The result of an upsert for one product. */
export interface Told {
  warnings: string[]
  errors: string[]
  product_key: string | null
  id: string | null
  status: string
}

/** A user with a catalog, and calls about it. */
export class Shop {
  readonly person: Person
  readonly catalog: string
  readonly #client: Client
  readonly #plaza: Plaza
  readonly #host: 'ads' | 'adsSandbox'

  constructor(parts: { person: Person; catalog: string; client: Client; plaza: Plaza; host?: 'adsSandbox' }) {
    this.person = parts.person
    this.catalog = parts.catalog
    this.#client = parts.client
    this.#plaza = parts.plaza
    this.#host = parts.host ?? 'ads'
  }

  static async open(plaza: Plaza, client: Client): Promise<Shop> {
    const person = await newPerson(plaza)
    const stranger = new Shop({ person, catalog: '', client, plaza })
    const reply = await stranger.call('POST', '', { form: { name: 'Shop' } })
    assert.equal(reply.status, 201, reply.text)
    return new Shop({ person, catalog: dataOf(reply).id, client, plaza })
  }

  /** The same user on the sandbox, or on another node. */
  at(plaza: Plaza, client: Client, host?: 'adsSandbox'): Shop {
    return new Shop({ person: this.person, catalog: this.catalog, client, plaza, ...(host && { host }) })
  }

  /** A call under `/product_catalogs`. */
  call(method: string, path: string, sent: { form?: Record<string, string>; json?: unknown } = {}) {
    const url = `${this.#plaza.urls[this.#host]}/12/product_catalogs${path}`
    return this.#client.signed(method, url, this.person.keys, sent)
  }

  /** A call about the catalog. */
  own(method: string, path: string, json?: unknown): Promise<Reply> {
    return this.call(method, `/${this.catalog}${path}`, json === undefined ? {} : { json })
  }

  put = (...products: object[]) => this.own('PUT', '/products', { products })
  list = async (query = '') => listOf(await this.own('GET', `/products${query}`))

  async told(...products: object[]): Promise<Told[]> {
    const reply = await this.put(...products)
    assert.equal(reply.status, 200, reply.text)
    return (dataOf(reply) as unknown as { products_response: Told[] }).products_response
  }

  async one(submitted: object): Promise<Told> {
    const [told] = await this.told(submitted)
    return told as Told
  }

  /** Creates products; resolves to their keys. */
  async stock(...products: object[]): Promise<string[]> {
    const told = await this.told(...products)
    for (const one of told) assert.deepEqual(one.errors, [])
    return told.map((one) => String(one.product_key))
  }

  /** A set after its filters have been evaluated. */
  async processed(id: string): Promise<Record<string, unknown>> {
    await this.#plaza.tasks.runDue('process product set')
    return dataOf(await this.own('GET', `/product_sets/${id}`))
  }

  async filtered(...filters: [attribute: string, operator: string, value: unknown][]) {
    const reply = await this.own('POST', '/product_sets', {
      name: 'Found',
      type: 'FILTERED',
      filters: filters.map(([attribute, operator, value]) => ({ attribute, operator, value })),
    })
    assert.equal(reply.status, 201, reply.text)
    return dataOf(reply)
  }
}

/** Adds more products to a catalog than a few calls could; every second one is `even`. */
export async function many({ context }: Plaza, catalog: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 250)
    await stock(
      context,
      catalog,
      Array.from({ length: Math.min(250, count - from) }, (_, n) =>
        product(`many-${from + n}`, { custom_label_1: (from + n) % 2 === 0 ? 'even' : 'odd' }),
      ),
    )
}
