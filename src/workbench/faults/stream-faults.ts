import { systemClock } from '../../platform/common/clock.ts'
import type { StreamReply } from '../../platform/http/reply-kinds.ts'
import type { Sink } from '../../platform/http/streams.ts'
import { durationMs } from '../clock/duration.ts'
import type { FaultSettings } from './settings.ts'

type Stream = StreamReply<unknown>

const LINE_END = '\r\n'

/**
 * A stream that is disconnected, or sends nothing more, after so many lines or so much real time;
 * at once by default. Its last line is that of the reason. `usageLine`: that of a usage cap.
 */
export function faultyStream(reply: Stream, settings: FaultSettings, usageLine: string): Stream {
  return {
    ...reply,
    async run(sink, signal) {
      const failing = new AbortController()
      const disconnect = () => failing.abort(settings.reason ?? 'operator_disconnect')
      const faulty = new FaultySink(sink, settings, { disconnect, usageLine })
      const ended = new AbortController()
      void faulty.start(ended.signal)
      try {
        await reply.run(faulty, AbortSignal.any([signal, failing.signal]))
      } finally {
        ended.abort()
      }
    },
  }
}

class FaultySink implements Sink<unknown> {
  readonly #sink: Sink<unknown>
  readonly #settings: FaultSettings
  readonly #parts: { disconnect(): void; usageLine: string }
  #linesLeft: number
  #hasFailed = false

  constructor(
    sink: Sink<unknown>,
    settings: FaultSettings,
    parts: { disconnect(): void; usageLine: string },
  ) {
    this.#sink = sink
    this.#settings = settings
    this.#parts = parts
    const isLater = settings.after !== undefined && settings.posts === undefined
    this.#linesLeft = isLater ? Number.POSITIVE_INFINITY : (settings.posts ?? 0)
  }

  /** Begins to count. */
  async start(ended: AbortSignal): Promise<void> {
    const { after } = this.#settings
    if (this.#linesLeft === 0) this.#fail()
    if (after === undefined) return
    if (await systemClock.at(systemClock.now() + (durationMs(after) ?? 0), ended)) this.#fail()
  }

  get canWrite(): boolean {
    return this.#sink.canWrite
  }

  async write(text: string): Promise<void> {
    if (this.#hasFailed) return
    await this.#sink.write(this.#allowed(text))
  }

  async send(value: unknown): Promise<void> {
    if (this.#hasFailed) return
    await this.#sink.send(value)
    this.#count()
  }

  last(text: string): void {
    this.#sink.last(this.#hasFailed ? this.#lastLine(text) : text)
  }

  /** Lines that still waited are not sent: only the one that says why the stream ends. */
  #lastLine(text: string): string {
    const { kind, reason } = this.#settings
    if (kind === 'stall') return ''
    if (reason === 'usage_capped') return this.#parts.usageLine
    const [line = ''] = text.split(LINE_END).slice(-2)
    return line.startsWith('{"errors"') ? line + LINE_END : ''
  }

  /** The text up to the line with which the stream fails. */
  #allowed(text: string): string {
    const lines = text.split(LINE_END)
    for (const [index, line] of lines.entries())
      if (line !== '' && this.#count()) return lines.slice(0, index + 1).join(LINE_END) + LINE_END
    return text
  }

  /** Counts a line. Returns whether the stream fails with it. */
  #count(): boolean {
    if (--this.#linesLeft > 0) return false
    this.#fail()
    return true
  }

  #fail(): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    // The stream may still be about to write the line that was counted.
    if (this.#settings.kind === 'disconnect') queueMicrotask(this.#parts.disconnect)
  }
}
