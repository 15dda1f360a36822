import { subscribe } from 'node:diagnostics_channel'
import { mkdirSync, openSync, writeSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import { beforeEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { bodyText, type Recorded } from './exchange.ts'

/**
 * Loaded into each test process by `npm run exchanges -- record`. Writes every request that a
 * server of this process received, with its reply, as a JSON line. It uses Node's diagnostics
 * channel, so that Plaza and its tests are not aware of it.
 */
const folder = process.env.PLAZA_RECORD
// The runner and worker threads load this file too, and receive nothing.
if (folder !== undefined && process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) record(folder)

function record(into: string): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const file = relative(root, process.argv[1] ?? '')
  mkdirSync(into, { recursive: true })
  const output = openSync(join(into, `${file.replaceAll('/', '.')}.jsonl`), 'w')
  let test = ''
  let events = 0
  // What hooks send after a test counts as its own.
  beforeEach((context) => {
    test = context.fullName
  })
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const startedBy = test
    const began = events++
    const received = chunksOf(request, 'push')
    const sent = chunksOf(response, 'write', 'end')
    response.once('close', () => {
      const head = response.writableFinished ? headOf(response) : ['aborted']
      const encoding = head.find((line) => /^content-encoding: /i.test(line))?.slice(18)
      const exchange: Recorded = {
        file,
        test: startedBy,
        span: [began, events++],
        request: [`${request.method} ${request.url}`, ...pairs(request.rawHeaders)],
        requestBody: bodyText(received, undefined),
        reply: head,
        replyBody: bodyText(sent, encoding),
      }
      writeSync(output, `${JSON.stringify(exchange)}\n`)
    })
  })
}

/** What passes through these methods of a stream, copied. */
function chunksOf(stream: object, ...methods: string[]): Buffer[] {
  const chunks: Buffer[] = []
  const target = stream as Record<string, (...args: unknown[]) => unknown>
  let depth = 0
  for (const method of methods) {
    const original = target[method] as (...args: unknown[]) => unknown
    target[method] = function (this: unknown, ...args: unknown[]) {
      const [chunk, encoding] = args
      // `end` may call `write`.
      if (depth === 0 && typeof chunk === 'string')
        chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
      if (depth === 0 && chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
      depth++
      try {
        return original.apply(this, args)
      } finally {
        depth--
      }
    }
  }
  return chunks
}

/** The head as it was sent: status line and headers. */
function headOf(response: ServerResponse): string[] {
  const { _header } = response as unknown as { _header?: string | null }
  return (_header ?? '').trimEnd().split('\r\n')
}

const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1]}`] : []))
