import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { PUBLIC_HOST } from './processes.ts'

const STREAM = '/2/posts/search/stream'

/** A stream that is read line by line. */
export class BenchStream {
  readonly #request: ClientRequest
  readonly reply: IncomingMessage
  #rest = ''

  private constructor(sent: ClientRequest, reply: IncomingMessage, take: (line: string) => void) {
    this.#request = sent
    this.reply = reply
    reply.setEncoding('utf8')
    reply.on('error', () => undefined)
    reply.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\r\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') take(line)
    })
  }

  /** Resolves when it is open. `take` gets each line that is not empty. */
  static async open(
    {
      port,
      bearer,
      path = STREAM,
      query = '',
    }: { port: number; bearer: string; path?: string; query?: string },
    take: (line: string) => void,
  ): Promise<BenchStream> {
    const agent = new Agent({ keepAlive: false })
    const sent = request({
      port,
      host: '127.0.0.1',
      path: path + query,
      agent,
      headers: { host: PUBLIC_HOST, authorization: `Bearer ${bearer}` },
    })
    sent.on('error', () => undefined)
    sent.end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    if (reply.statusCode !== 200) throw new Error(`a stream was not opened: ${reply.statusCode}`)
    return new BenchStream(sent, reply, take)
  }

  close(): void {
    this.#request.destroy()
  }
}
