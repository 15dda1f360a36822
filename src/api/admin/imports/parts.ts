import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { ImportStopped } from '../../../domain/posts/import/import.ts'
import { stream } from '../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, closedObject } from '../../../platform/http/schema.ts'
import type { Sink } from '../../../platform/http/streams.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { GenerateServices, ImportRun } from '../../../workbench/imports/post-imports.ts'
import type { AdminDependencies } from '../endpoint.ts'
import { alone, STREAMED, sayInto } from '../streamed.ts'

/** Other requests wait at most for the transaction of this many posts. */
const POSTS_AT_ONCE = 25
/** Of the free space of the disk, an uploaded file takes at most this part. */
const SPACE_SHARE = 0.5

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ImportMessageObject = closedComponent('ImportMessage', {
  progress: Type.Optional(
    closedObject({
      pass: choice(['importing', 'counting', 'making'], 'What is done now.'),
      share: Type.Number({ minimum: 0, maximum: 1, description: 'How much of it is done.' }),
      count: count('Lines, or generated posts, so far.'),
    }),
  ),
  rejected: Type.Optional(
    closedObject({
      line: Type.Integer({ minimum: 1, description: 'The line, or the number of the post.' }),
      reason: Type.String({ description: 'Why it was omitted.' }),
    }),
  ),
  result: Type.Optional(
    closedObject({
      added: count('Posts that were added.'),
      known: count('Posts that existed already.'),
      rejected: count('Lines that were omitted.'),
      repeated: Type.Boolean({ description: 'Whether all of it had been imported before.' }),
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Why nothing more is imported.' })),
})

/** What endpoints that import posts have in common. */
export const IMPORT = { ...STREAMED, reply: closedObject({ data: ImportMessageObject }) } as const

export const EXAMPLE = { data: { result: { added: 998, known: 0, rejected: 2, repeated: false } } }

/** What the description of each says about the reply. */
export const LINES =
  'The reply has a line of JSON for each rejected post and for the progress; the last one has the `result`, or an `error`. Without it, the connection was lost: what was imported stays, and the same call goes on from there. One import runs at a time; others get 409.'

/**
 * Runs an import while its reply is open. `prepare` makes what `work` needs, before the reply
 * begins; `release` frees it.
 */
export async function importing<Prepared, Message extends { readonly error?: string }>(
  { imports, store, files, ids, random, clock, dictionary, naming }: AdminDependencies,
  prepare: () => Promise<Prepared>,
  work: (prepared: Prepared, services: GenerateServices, run: ImportRun<Message>) => Promise<void>,
  release: (prepared: Prepared) => Promise<void>,
) {
  const leave = await alone(imports, 'Another import runs. Wait until it has ended.')
  const prepared = await prepare().catch((error: unknown) => {
    leave()
    throw error
  })
  const services = { store, files, ids, random, clock, dictionary, vocabulary: naming.vocabulary }
  const end = () => release(prepared).finally(leave)
  return stream<{ data: Message }>(
    (sink, signal) => work(prepared, services, runInto(sink, signal)).catch(unlessStopped(sink)).finally(end),
    () => void end(),
  )
}

const runInto = <Message>(sink: Sink<{ data: Message }>, signal: AbortSignal): ImportRun<Message> => ({
  signal,
  postsAtOnce: POSTS_AT_ONCE,
  say: sayInto(sink),
})

const unlessStopped = (sink: Sink<never>) => async (error: unknown) => {
  if (!(error instanceof ImportStopped)) throw error
  const message = {
    data: { error: 'Plaza stops. What was imported stays; the same call goes on from there.' },
  }
  await (sink as Sink<typeof message>).send(message).catch(() => undefined)
}

/** A file with a body, in a folder of its own. */
export interface StoredBody {
  readonly file: string
  remove(): Promise<void>
}

/** Stores a body, because an import reads it twice. */
export async function storeBody(content: AsyncIterable<Buffer>): Promise<StoredBody> {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-import-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { bavail, bsize } = await statfs(folder)
    const maxBytes = Math.floor(bavail * bsize * SPACE_SHARE)
    const file = join(folder, 'posts')
    const handle = await open(file, 'wx', 0o600)
    try {
      let bytes = 0
      for await (const chunk of content) {
        bytes += chunk.length
        if (bytes > maxBytes)
          throw apiError('conflict', {
            explanation: `The file has more than ${maxBytes} bytes, half of the free space of the disk.`,
          })
        await handle.write(chunk)
      }
    } finally {
      await handle.close()
    }
    return { file, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
