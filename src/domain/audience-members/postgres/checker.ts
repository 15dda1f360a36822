import { workerData } from 'node:worker_threads'
import { serve } from '../../../platform/common/thread.ts'
import { type Checked, checkUsers, type Words } from '../check.ts'
import type { Upload } from '../membership.ts'

/** The thread that checks uploads, so that the event loop does not have to. */
const { words } = workerData as { words: Words }

const methods = {
  check({ target, body }: Upload, now: number): Checked {
    return checkUsers(body, { target, now, words })
  },
  close: () => undefined,
}

export type Checker = typeof methods

serve(methods, (result) => {
  const checked = result as Checked | undefined
  return checked?.kind === 'fine' ? [checked.batch.buffer as ArrayBuffer] : []
})
