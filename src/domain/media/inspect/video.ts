import { Worker } from 'node:worker_threads'
import { SharedGate } from '../../../platform/common/gate.ts'
import { Slices } from '../../../platform/common/slices.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import type { Inspected, Source } from './inspected.ts'
import type { FromThread, ToThread } from './video-thread.ts'

/** The time limit of one file, without the time to read it, but with the start of the thread. */
const MAX_WORK_MS = 10_000
/** A little is read at each fragment of a video, which may have thousands. */
const MAX_READS = 20_000
/** Maximum size of one read: the metadata of a long video takes a few megabytes. The parser keeps it in memory. */
const MAX_RUN_BYTES = 32 * 1024 * 1024
/** A thread that has read more than this of one file is replaced, to release its memory. */
const MUCH_BYTES = 16 * 1024 * 1024
/** The time limit of all reads of one file. The object store may be slow. */
const MAX_READ_MS = 60_000
/** A few at a time, one of each owner, so that others do not wait for a file that is read slowly. */
const gate = new SharedGate(3, { maxWaiting: 50, maxWaitingOfOne: 5 })

/** A thread without a file. */
let idle: Worker | undefined

/**
 * Inspects a video in a separate thread. Undefined if the file is not a video, is incomplete, or requires
 * more work than any video does. Rejects with `CapacityError` when too many videos wait, in total or of the owner, and with
 * `StoreUnavailable` when the file cannot be read in time.
 */
export const readVideo = (source: Source, owner: string): Promise<Inspected | undefined> =>
  gate.through(owner, () => look(source))

async function look(source: Source): Promise<Inspected | undefined> {
  const worker = idle ?? startedThread()
  idle = undefined
  const visit = new Visit(worker, source)
  try {
    return await visit.result
  } finally {
    visit.end()
    // A thread that is still busy is of no use to the next file, and one that has grown does not shrink.
    if (!visit.finished || visit.readBytes > MUCH_BYTES || idle) await worker.terminate()
    else idle = worker
  }
}

function startedThread(): Worker {
  const started = new Worker(new URL('./video-thread.ts', import.meta.url))
  started.on('exit', () => {
    if (idle === started) idle = undefined
  })
  return started
}

const tooSlow = () => new StoreUnavailable('a video could not be read in time')

/** The exchange between the thread and a file. */
class Visit {
  readonly result: Promise<Inspected | undefined>
  finished = false
  readBytes = 0
  readonly #worker: Worker
  readonly #source: Source
  readonly #settle: PromiseWithResolvers<Inspected | undefined>
  readonly #slices = new Slices()
  #ended = false
  #reads = 0
  /** The end of the last read, and the number of bytes read contiguously up to it. */
  #readTo = 0
  #runBytes = 0
  #workedMs = 0
  #readMs = 0
  #saidAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(worker: Worker, source: Source) {
    this.#worker = worker
    this.#source = source
    this.#settle = Promise.withResolvers()
    this.result = this.#settle.promise
    worker.ref()
    worker.on('message', this.#heard).on('error', this.#broke).on('exit', this.#broke)
    this.#say({ bytes: source.bytes })
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#worker.off('message', this.#heard).off('error', this.#broke).off('exit', this.#broke)
    // The thread does not keep a process alive that has nothing else to do.
    this.#worker.unref()
  }

  /** Waits for the next message of the thread, for as much time as it has left. */
  #say(message: ToThread, transfer: ArrayBuffer[] = []): void {
    if (this.#ended) return
    this.#saidAt = performance.now()
    this.#timer = setTimeout(() => this.#settle.resolve(undefined), MAX_WORK_MS - this.#workedMs)
    this.#worker.postMessage(message, transfer)
  }

  readonly #heard = (message: FromThread): void => {
    clearTimeout(this.#timer)
    this.#workedMs += performance.now() - this.#saidAt
    if ('found' in message) {
      this.finished = true
      this.#settle.resolve(message.found)
    } else if (this.#isTooMuch(message)) this.#settle.resolve(undefined)
    else this.#answer(message).catch((error) => this.#settle.reject(error))
  }

  async #answer({ start, end }: { start: number; end: number }): Promise<void> {
    // Reads of a file in memory and their requests could fill a turn of the event loop.
    if (this.#slices.isOver) await this.#slices.next()
    const before = performance.now()
    this.#timer = setTimeout(() => this.#settle.reject(tooSlow()), MAX_READ_MS - this.#readMs)
    const read = await this.#source.read(start, end).finally(() => clearTimeout(this.#timer))
    this.#readMs += performance.now() - before
    // Transferring a part of a buffer transfers all of it.
    const content = new Uint8Array(read)
    this.#say({ content }, [content.buffer])
  }

  #isTooMuch({ start, end }: { start: number; end: number }): boolean {
    this.#reads++
    this.#runBytes = (start === this.#readTo ? this.#runBytes : 0) + end - start
    this.#readTo = end
    this.readBytes += end - start
    return this.#reads > MAX_READS || this.#runBytes > MAX_RUN_BYTES
  }

  readonly #broke = (reason: unknown): void => {
    // A file that crashed the parser is rejected. A thread that never started is an internal error.
    if (this.#reads > 0) this.#settle.resolve(undefined)
    else this.#settle.reject(reason instanceof Error ? reason : new Error('the thread for videos has ended'))
  }
}
