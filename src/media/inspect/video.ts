import { Worker } from 'node:worker_threads'
import { apiError } from '../../protocols/catalogue.ts'
import type { Inspected, Source } from './inspected.ts'
import type { FromThread, ToThread } from './video-thread.ts'

/** Time that a file may cost, besides the reading of it; the start of the thread is in it. */
const MAX_WORK_MS = 10_000
/** A little is read at each piece of a video, which may have thousands. */
const MAX_READS = 20_000
/** Read at once: the metadata of a long video is a few megabytes. The parser holds it in memory. */
const MAX_RUN_BYTES = 32 * 1024 * 1024
/** The memory of a parser that has read so much of one file is not worth keeping. */
const MUCH_BYTES = 16 * 1024 * 1024
const MAX_WAITING = 50

let thread: Worker | undefined
let line: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Looks into a video, one at a time in a thread of its own. Undefined when it is none, when a part of it is missing, or
 * when it asks for more work than any video does. Rejects when too many wait.
 */
export async function readVideo(source: Source): Promise<Inspected | undefined> {
  if (waiting >= MAX_WAITING) throw apiError('over capacity', 'too many videos wait to be looked into')
  waiting++
  const turn = line.then(() => look(source)).finally(() => waiting--)
  line = turn.catch(() => undefined)
  return turn
}

async function look(source: Source): Promise<Inspected | undefined> {
  const visit = new Visit(startedThread(), source)
  try {
    return await visit.result
  } finally {
    visit.end()
    // One that is still at work is of no use to the next, and one that has grown does not shrink.
    if (!visit.finished || visit.readBytes > MUCH_BYTES) await stopThread()
  }
}

function startedThread(): Worker {
  if (thread) return thread
  const started = new Worker(new URL('./video-thread.ts', import.meta.url))
  started.on('exit', () => {
    if (thread === started) thread = undefined
  })
  thread = started
  return started
}

async function stopThread(): Promise<void> {
  const stopping = thread
  thread = undefined
  await stopping?.terminate()
}

/** What passes between the thread and a file. */
class Visit {
  readonly result: Promise<Inspected | undefined>
  finished = false
  readBytes = 0
  readonly #worker: Worker
  readonly #source: Source
  readonly #settle: PromiseWithResolvers<Inspected | undefined>
  #ended = false
  #reads = 0
  /** Where the last read ended, and how much was read up to there in one go. */
  #readTo = 0
  #runBytes = 0
  #workedMs = 0
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
    // It keeps no process alive that has nothing else to do.
    this.#worker.unref()
  }

  /** The thread works until it is heard of again, for as long as it has left. */
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
    else
      this.#source.read(message.start, message.end).then(
        (read) => {
          // What a part of a buffer is given with is all of it.
          const content = Uint8Array.from(read)
          this.#say({ content }, [content.buffer])
        },
        (error) => this.#settle.reject(error),
      )
  }

  #isTooMuch({ start, end }: { start: number; end: number }): boolean {
    this.#reads++
    this.#runBytes = (start === this.#readTo ? this.#runBytes : 0) + end - start
    this.#readTo = end
    this.readBytes += end - start
    return this.#reads > MAX_READS || this.#runBytes > MAX_RUN_BYTES
  }

  readonly #broke = (reason: unknown): void => {
    // Of a file that took the parser with it nothing will be known. A thread that never began is a fault of ours.
    if (this.#reads > 0) this.#settle.resolve(undefined)
    else this.#settle.reject(reason instanceof Error ? reason : new Error('the thread for videos has ended'))
  }
}
