import { Worker } from 'node:worker_threads'
import { SharedGate } from '../../../platform/common/gate.ts'
import { Slices } from '../../../platform/common/slices.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import type { FileSource, InspectedMedium } from './inspected.ts'
import type { VideoThreadReply, VideoThreadRequest } from './video-thread.ts'

/** The time limit of one file, without the time to read it, but with the start of the thread. */
const MAX_WORK_MS = 10_000
/** A little is read at each fragment of a video, which may have thousands. */
const MAX_READS = 20_000
/** Maximum size of one read: long videos have megabytes of metadata, which the parser stores. */
const MAX_RUN_BYTES = 32 * 1024 * 1024
/** A thread that has read more than this of one file is replaced, to release its memory. */
const MUCH_BYTES = 16 * 1024 * 1024
/** The time limit of all reads of one file. The object store may be slow. */
const MAX_READ_MS = 60_000
/**
 * A few at a time, one of each owner, so that others do not wait for a file that is read slowly.
 */
const gate = new SharedGate(3, { maxWaiting: 50, maxWaitingOfOne: 5 })

/** A thread without a file. */
let idle: Worker | undefined

/**
 * Inspects a video in a separate thread. Undefined if the file is not a video, is incomplete, or
 * takes more work than any video does. Rejects with `CapacityError` when too many videos wait, in
 * total or of the owner, and with `StoreUnavailable` when the file cannot be read in time.
 */
export const readVideo = (source: FileSource, owner: string): Promise<InspectedMedium | undefined> =>
  gate.through(owner, () => inspectInThread(source))

async function inspectInThread(source: FileSource): Promise<InspectedMedium | undefined> {
  const worker = idle ?? startedThread()
  idle = undefined
  const inspection = new VideoInspection(worker, source)
  try {
    return await inspection.result
  } finally {
    inspection.end()
    // A thread that is still busy is of no use to the next file, and one that has grown does not
    // shrink.
    if (!inspection.finished || inspection.readBytes > MUCH_BYTES || idle) await worker.terminate()
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
class VideoInspection {
  readonly result: Promise<InspectedMedium | undefined>
  finished = false
  readBytes = 0
  readonly #worker: Worker
  readonly #source: FileSource
  readonly #settle: PromiseWithResolvers<InspectedMedium | undefined>
  readonly #slices = new Slices()
  #ended = false
  #reads = 0
  /** The end of the last read, and the number of bytes read contiguously up to it. */
  #readTo = 0
  #runBytes = 0
  #workedMs = 0
  #readMs = 0
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(worker: Worker, source: FileSource) {
    this.#worker = worker
    this.#source = source
    this.#settle = Promise.withResolvers()
    this.result = this.#settle.promise
    worker.ref()
    worker.on('message', this.#onMessage).on('error', this.#onExit).on('exit', this.#onExit)
    this.#send({ bytes: source.bytes })
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#worker.off('message', this.#onMessage).off('error', this.#onExit).off('exit', this.#onExit)
    // The thread does not keep a process alive that has nothing else to do.
    this.#worker.unref()
  }

  /** Waits for the next message of the thread, for as much time as it has left. */
  #send(message: VideoThreadRequest, transfer: ArrayBuffer[] = []): void {
    if (this.#ended) return
    this.#sentAt = performance.now()
    this.#timer = setTimeout(() => this.#settle.resolve(undefined), MAX_WORK_MS - this.#workedMs)
    this.#worker.postMessage(message, transfer)
  }

  readonly #onMessage = (message: VideoThreadReply): void => {
    clearTimeout(this.#timer)
    this.#workedMs += performance.now() - this.#sentAt
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
    this.#send({ content }, [content.buffer])
  }

  #isTooMuch({ start, end }: { start: number; end: number }): boolean {
    this.#reads++
    this.#runBytes = (start === this.#readTo ? this.#runBytes : 0) + end - start
    this.#readTo = end
    this.readBytes += end - start
    return this.#reads > MAX_READS || this.#runBytes > MAX_RUN_BYTES
  }

  readonly #onExit = (reason: unknown): void => {
    // A file that crashed the parser is rejected. A thread that never started is an internal error.
    if (this.#reads > 0) this.#settle.resolve(undefined)
    else this.#settle.reject(reason instanceof Error ? reason : new Error('the thread for videos has ended'))
  }
}
