import type { Context } from '../../src/app/start/context.ts'
import { accountRelease, collectUnused, fileDeletion, mediaProcessing } from '../../src/domain/media/work.ts'
import type { TaskKind } from '../../src/platform/queue/task.ts'
import { startWorker } from '../../src/platform/queue/worker.ts'

/** Runs the due tasks of some kinds, with a context that may differ from that of the server. */
export async function runKinds(context: Context, ...kinds: readonly TaskKind<never>[]): Promise<number> {
  const worker = await startWorker(kinds, { ...context, holder: 'test' }, { background: false })
  const ran = await worker.runDue()
  await worker.stop(0)
  return ran
}

/** Creates the posters that are due. */
export const processMedia = (context: Context) => runKinds(context, mediaProcessing(context))

/** Deletes unused media and files immediately. */
export async function sweepMedia(context: Context): Promise<void> {
  await runKinds(context, accountRelease())
  await collectUnused(context)
  await runKinds(context, fileDeletion(context))
}
