import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Plaza } from '../../src/app/server.ts'
import { until } from './until.ts'

/** A post on a stream, as far as tests look at it. */
export interface StreamItem {
  data?: { id: string; text: string; [name: string]: unknown }
  includes?: Record<string, { id: string }[]>
  matching_rules?: { id: string; tag?: string }[]
  errors?: { title: string; disconnect_type?: string }[]
}

/** Reads a stream line by line. Close it. */
export class StreamReader {
  readonly status: number
  readonly reply: IncomingMessage
  /** Lines with content, as they arrived. */
  readonly items: StreamItem[] = []
  /** Empty lines. */
  blanks = 0
  /** Whether the reply ended, and whether it was complete. */
  end: 'whole' | 'cut' | undefined
  #rest = ''

  private constructor(reply: IncomingMessage) {
    this.reply = reply
    this.status = reply.statusCode ?? 0
    reply.setEncoding('utf8')
    reply.on('error', () => undefined)
    reply.on('close', () => {
      this.end = reply.complete ? 'whole' : 'cut'
    })
    reply.on('data', (text: string) => this.#take(text))
  }

  /** Resolves when the head of the reply is there. */
  static async open(
    { urls, caPem }: Pick<Plaza, 'urls' | 'caPem'>,
    bearer: string,
    query = '',
    path = '/2/posts/search/stream',
  ): Promise<StreamReader> {
    const request = httpsRequest(urls.core + path + query, {
      headers: { authorization: `Bearer ${bearer}` },
      ca: caPem,
      agent: false,
    })
    request.on('error', () => undefined)
    request.end()
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    return new StreamReader(reply)
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\r\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') this.blanks++
      else this.items.push(JSON.parse(line) as StreamItem)
    }
  }

  /** The text after the last complete line. */
  get rest(): string {
    return this.#rest
  }

  /** The texts of the posts that came. */
  get texts(): string[] {
    return this.items.flatMap(({ data }) => (data ? [data.text] : []))
  }

  /** Waits until posts with these texts have come, in any order. */
  has(...texts: string[]): Promise<unknown> {
    return until(`posts on the stream: ${texts.join(', ')}`, () =>
      texts.every((text) => this.texts.includes(text)),
    )
  }

  /** Waits until the reply has ended. Resolves to the last line, if it is an error. */
  async ended(): Promise<{ end: string; disconnect: string | undefined }> {
    const end = await until('the end of the stream', () => this.end)
    return { end, disconnect: this.items.at(-1)?.errors?.[0]?.disconnect_type }
  }

  close(): void {
    this.reply.destroy()
  }
}
