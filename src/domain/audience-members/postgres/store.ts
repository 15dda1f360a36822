import { Thread, transferable } from '../../../platform/common/thread.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { Words } from '../check.ts'
import type { Accepted, MemberStore, MembershipState, Reader, Step, Upload } from '../membership.ts'
import { addToLog, waitingBytes } from '../queries.ts'
import { maintenanceIsDue, mergeIsDue, readStates } from '../reads.ts'
import { mayHold, SharedRoom } from '../share.ts'
import type { Tally, TallyRequest } from '../tally.ts'
import type { Checker } from './checker.ts'
import type { Merger, MergerData } from './merger.ts'

export interface PostgresMembersOptions extends MergerData {
  store: Store
  words: Words
  maxWaitingBytes: number
}

/** Maximum bytes of packed batches that are being written to the log. */
const MAX_WRITING_BYTES = 64 * 1024 * 1024
const NOTHING: Step = { keys: 0, more: false }

/** Members in the shared database: the log is a table, and any node can merge it. */
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
    const body = transferable(upload.body)
    const checked = await this.#checkerThread().call(
      'check',
      [{ ...upload, body }, now],
      [body.buffer as ArrayBuffer],
    )
    if (checked.kind !== 'fine') return checked
    const { batch, ...rest } = checked
    const { account, audience } = upload
    const { length: bytes } = batch
    // A packed batch may be several times as large as its body.
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
    return readStates(through, audiences, now)
  }

  tally(request: TallyRequest): Promise<Tally> {
    return this.#mergingThread().call('tally', [request])
  }

  async merge(until: number, now: number): Promise<Step> {
    // A node without uploads needs no thread.
    if (!this.#merger && !(await mergeIsDue(this.#options.store, { until, now }))) return NOTHING
    return this.#mergingThread().call('merge', [until, now])
  }

  async maintain(now: number): Promise<Step> {
    if (!this.#merger && !(await maintenanceIsDue(this.#options.store, now))) return NOTHING
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
