import { createInterface } from 'node:readline'
import type { Sink } from '../../platform/http/streams.ts'
import { type OpenReply, openOwn } from '../own-server.ts'
import { callingApp } from './callers.ts'
import { bearerOf, type ExplorerServices, NotShowable } from './explorer.ts'

/** The streams, by the names that readers choose. */
export const LIVE_STREAMS = ['posts', 'powerstream', 'activity'] as const
export type LiveStream = (typeof LIVE_STREAMS)[number]

const PATHS: Readonly<Record<LiveStream, string>> = {
  posts: '/2/posts/search/stream',
  powerstream: '/2/powerstream',
  activity: '/2/activity/stream',
}

/** A line of a stream, and whether it only keeps the connection alive. */
export interface LiveLine {
  readonly text: string
}

/**
 * Opens a stream as an app does, with its bearer token.
 * @throws NoCaller
 * @throws NotShowable if the stream is rejected: the reply says why
 */
export async function openLive(
  which: LiveStream,
  appId: string | undefined,
  services: ExplorerServices,
): Promise<OpenReply> {
  const app = await callingApp(appId, services)
  const listener = services.listeners.get('core')
  if (!listener) throw new NotShowable('The core API has no listener.')
  const opened = await openOwn(listener, {
    method: 'GET',
    target: services.vocabulary.path(PATHS[which]),
    headers: [
      ...['host', new URL(services.origins.core).host],
      ...['authorization', `Bearer ${await bearerOf(app, services)}`],
    ],
    body: undefined,
  })
  if (opened.status === 200) return opened
  const text = Buffer.concat(await opened.body.toArray()).toString()
  opened.close()
  throw new NotShowable(`The stream was rejected with ${opened.status}: ${text}`)
}

/** Passes the lines of an open stream on, until either side ends. Empty lines keep it alive. */
export async function passLines(
  { body, close }: OpenReply,
  sink: Sink<{ data: LiveLine }>,
  signal: AbortSignal,
): Promise<void> {
  signal.addEventListener('abort', close, { once: true })
  try {
    for await (const text of createInterface({ input: body }))
      if (text === '') await sink.write('\r\n')
      else await sink.send({ data: { text } })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    close()
  }
}
