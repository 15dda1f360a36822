import { given, Thread } from '../../common/thread.ts'
import type { Store } from '../../storage/store.ts'
import type { Words } from '../check.ts'
import type { Accepted, MemberStore, MembershipState, Reader, Step, Upload } from '../membership.ts'
import { mayHold, SharedRoom } from '../share.ts'
import type { Checker } from './checker.ts'
import type { Merger, MergerData } from './merger.ts'
import { addToLog, anyAudience, audienceStates, waitingAudiences, waitingBytes } from './queries.ts'

export interface PostgresMembersOptions extends MergerData {
  store: Store
  words: Words
  maxWaitingBytes: number
}

/** Changes that came due of one audience, beyond which a reply tells its count of before. */
const MAX_DUE_CHANGES = 10_000
/** Packed batches that may be on their way to the log at once. */
const MAX_WRITING_BYTES = 64 * 1024 * 1024
const NOTHING: Step = { keys: 0, more: false }

/** Members in the shared database: a table is the log, and whichever node comes first merges. */
export class PostgresMembers implements MemberStore {
  readonly #options: PostgresMembersOptions
  readonly #writing = new SharedRoom(MAX_WRITING_BYTES)
  #checker: Thread<Checker> | undefined
  #merger: Thread<Merger> | undefined

  constructor(options: PostgresMembersOptions) {
    this.#options = options
  }

  async take(upload: Upload, now: number): Promise<Accepted | 'full'> {
    const { store, maxWaitingBytes } = this.#options
    const body = given(upload.body)
    const checked = await this.#checkerThread().call(
      'check',
      [{ ...upload, body }, now],
      [body.buffer as ArrayBuffer],
    )
    if (checked.kind !== 'fine') return checked
    const { batch, ...rest } = checked
    const { account, audience } = upload
    const { length: bytes } = batch
    // A body may be packed to several times its own size.
    if (!this.#writing.hold(account, bytes)) return 'full'
    try {
      const waiting = await store.first(waitingBytes, { account })
      const held = { all: waiting?.total ?? 0, own: waiting?.own ?? 0 }
      if (!mayHold(bytes, held, maxWaitingBytes)) return 'full'
      const data = Buffer.from(batch.buffer, batch.byteOffset, bytes)
      const row = { account, audience, acceptedAt: now, keys: rest.keys, bytes, data }
      await store.write((tx) => tx.run(addToLog, row))
      return rest
    } finally {
      this.#writing.giveBack(account, bytes)
    }
  }

  async forget(audience: string, now: number): Promise<void> {
    await this.#options.store.write((tx) =>
      tx.run(addToLog, { account: '', audience, acceptedAt: now, keys: 0, bytes: 0, data: null }),
    )
  }

  async states(
    audiences: readonly string[],
    now: number,
    through: Reader = this.#options.store,
  ): Promise<Map<string, MembershipState>> {
    const asked = { audiences: [...audiences], now: Math.floor(now / 1000), limit: MAX_DUE_CHANGES }
    const rows = await through.all(audienceStates, asked)
    return new Map(
      rows.map(({ audience, waits, size, delta, due }) => {
        const isCounted = size !== null && due < MAX_DUE_CHANGES
        return [audience, { processing: waits || !isCounted, size: size === null ? 0 : size + delta }]
      }),
    )
  }

  async merge(until: number, now: number): Promise<Step> {
    const { store } = this.#options
    // A node on which nothing ever waits needs no thread.
    if (!this.#merger && !(await store.first(waitingAudiences, { until, now, limit: 1, except: [] })))
      return NOTHING
    return this.#mergingThread().call('merge', [until, now])
  }

  async maintain(now: number): Promise<Step> {
    const { store } = this.#options
    if (!this.#merger && !(await store.first(anyAudience, {}))) return NOTHING
    return this.#mergingThread().call('maintain', [now])
  }

  async close(): Promise<void> {
    await Promise.all([this.#checker?.close(), this.#merger?.close()])
  }

  #checkerThread(): Thread<Checker> {
    if (!this.#checker?.alive)
      this.#checker = new Thread<Checker>(new URL('./checker.ts', import.meta.url), {
        words: this.#options.words,
      })
    return this.#checker
  }

  #mergingThread(): Thread<Merger> {
    const { url, schema, stepRows } = this.#options
    if (!this.#merger?.alive)
      this.#merger = new Thread<Merger>(new URL('./merger.ts', import.meta.url), {
        url,
        schema,
        ...(stepRows !== undefined && { stepRows }),
      } satisfies MergerData)
    return this.#merger
  }
}
