import { accountRelease, collectUnused, fileDeletion, mediaProcessing } from '../../src/media/work.ts'
import type { TaskKind } from '../../src/queue/task.ts'
import { startWorker } from '../../src/queue/worker.ts'
import type { Context } from '../../src/start/context.ts'

/** Runs what is due of some kinds of tasks, with a context that may differ from that of the server. */
export async function runKinds(context: Context, ...kinds: readonly TaskKind<never>[]): Promise<number> {
  const worker = await startWorker(kinds, context, { background: false })
  const ran = await worker.runDue()
  await worker.stop(0)
  return ran
}

/** Makes the posters that are due. */
export const processMedia = (context: Context) => runKinds(context, mediaProcessing(context))

/** Forgets media and files that no one uses, at once. */
export async function sweepMedia(context: Context): Promise<void> {
  await runKinds(context, accountRelease())
  await collectUnused(context)
  await runKinds(context, fileDeletion(context))
}
