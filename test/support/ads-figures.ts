import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { Agent, fetch } from 'undici'
import type { Plaza } from '../../src/app/server.ts'
import { type Data, type Desk, dataOf, listOf } from './ads-desk.ts'
import type { Client, Reply } from './client.ts'

const DAY_MS = 86_400_000

/** The members of a conversion metric. */
export type Conversions = Readonly<Record<string, number[] | null>>
export type Metrics = Record<string, Conversions | null>

interface Item {
  segment: { segment_name: string; segment_value: string } | null
  metrics: Metrics
}

export const isoOf = (ms: number) => new Date(ms).toISOString()
export const total = (list: number[] | null | undefined) =>
  (list ?? []).reduce((sum, value) => sum + value, 0)

/** Analytics of an account, at once and as jobs. */
export class Figures {
  readonly #desk: Desk
  readonly #plaza: Plaza
  readonly #client: Client
  readonly #agent: Agent
  readonly #usual: Record<string, string>

  /** For five days from a time on, all together. */
  constructor(desk: Desk, plaza: Plaza, client: Client, { from, groups }: { from: number; groups: string }) {
    this.#desk = desk
    this.#plaza = plaza
    this.#client = client
    this.#agent = new Agent({ connect: { ca: plaza.caPem ?? '' } })
    this.#usual = {
      start_time: isoOf(from),
      end_time: isoOf(from + 5 * DAY_MS),
      granularity: 'TOTAL',
      placement: 'ALL_ON_SERVICE',
      metric_groups: groups,
    }
  }

  close = () => this.#agent.close()

  call(method: string, path: string, query: Record<string, string>): Promise<Reply> {
    const url = `${this.#plaza.urls.ads}/12${path}?${new URLSearchParams(query)}`
    return this.#client.signed(method, url, this.#desk.person.keys)
  }

  async of(entity: string, id: string, more: Record<string, string> = {}): Promise<Metrics> {
    const query = { ...this.#usual, entity, entity_ids: id, ...more }
    const reply = await this.call('GET', `/stats/accounts/${this.#desk.accountId}`, query)
    assert.equal(reply.status, 200, reply.text)
    return (listOf(reply) as (Data & { id_data: Item[] })[])[0]?.id_data[0]?.metrics ?? {}
  }

  /** Starts a job. */
  create(entity: string, id: string, more: Record<string, string>): Promise<Reply> {
    const query = { ...this.#usual, entity, entity_ids: id, ...more }
    return this.call('POST', `/stats/jobs/accounts/${this.#desk.accountId}`, query)
  }

  /** The result of a job: an item for each segment. */
  async job(entity: string, id: string, more: Record<string, string>): Promise<Item[]> {
    const made = await this.create(entity, id, more)
    assert.equal(made.status, 201, made.text)
    await this.#plaza.tasks.runDue('run analytics job')
    const ids = { job_ids: String(dataOf(made).id_str) }
    const [job] = listOf(await this.call('GET', `/stats/jobs/accounts/${this.#desk.accountId}`, ids))
    const file = await fetch(String(job?.url), { dispatcher: this.#agent })
    const { data } = JSON.parse(gunzipSync(Buffer.from(await file.arrayBuffer())).toString())
    return (data as { id_data: Item[] }[])[0]?.id_data ?? []
  }

  /**
   * Reads conversions of five days by the day and by the hour, and checks that the members of each
   * metric have the same sums.
   */
  async agree(entity: string, id: string, more: Record<string, string> = {}): Promise<Metrics> {
    const whole = await this.of(entity, id, more)
    const days = await this.of(entity, id, { ...more, granularity: 'DAY' })
    const hours = await this.of(entity, id, { ...more, granularity: 'HOUR' })
    for (const [name, value] of Object.entries(whole))
      for (const member of Object.keys(value ?? {})) {
        const [day, hour] = [days[name]?.[member], hours[name]?.[member]]
        assert.equal(total(value?.[member]), total(day), `${name} ${member}`)
        for (let at = 0; at < 5 && day; at++)
          assert.equal(day[at], total(hour?.slice(at * 24, at * 24 + 24)), `${name} ${member}`)
      }
    return whole
  }
}

/** Checks that segments add up to the whole. */
export function addUp(segments: readonly Item[], whole: Metrics): void {
  for (const [name, value] of Object.entries(whole))
    for (const member of Object.keys(value ?? {}))
      assert.equal(
        total(segments.flatMap(({ metrics }) => metrics[name]?.[member] ?? [])),
        total(value?.[member]),
        `${name} ${member}`,
      )
}
