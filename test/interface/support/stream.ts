import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Caller } from './callers.ts'
import { resolve } from './variables.ts'
import type { World } from './world.ts'

/** An open stream: its lines as they arrive, without their ends. Close it. */
export interface OpenStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Resolves to the next line that is not empty; undefined when the stream has ended. */
  next(): Promise<string | undefined>
  close(): void
}

/** Opens a stream with the bearer of an app. */
export async function openStream(
  { server, callers, variables }: World,
  target: string,
  as: Caller = 'app',
): Promise<OpenStream> {
  const url = resolve(target, variables)
  const credentials = callers.get(as)
  assert.ok(credentials?.scheme === 'bearer')
  const { ca_file } = server.ready
  const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
    agent: false,
    headers: { authorization: `Bearer ${credentials.token}` },
    ...(ca_file !== null && { ca: readFileSync(ca_file, 'utf8') }),
  })
  request.on('error', () => undefined)
  request.end()
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const lines = linesOf(reply)
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    next: async () => (await lines.next()).value ?? undefined,
    close: () => reply.destroy(),
  }
}

async function* linesOf(reply: IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const chunk of reply) {
    const lines = (rest + String(chunk)).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield line
  }
  assert.equal(rest, '', 'the last line has its end')
  return undefined
}
