import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest that any work may keep another caller waiting, in milliseconds. */
export const MAX_WAIT_MS = 50

const ATTEMPTS = 3

/**
 * Processor time of this thread in milliseconds. Unlike real time, it does not depend on what else
 * the machine does.
 */
export const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** How long the other caller waited, in milliseconds of processor time of this thread. */
export interface Waits {
  /** The longest turn of the event loop. */
  turnMs: number
  /** The longest call of the other caller, from its request to the end of its reply. */
  callMs: number
}

/**
 * Measures what another caller feels while `work` runs in this process: `call` is called again and
 * again beside it. Create everything that `work` sends beforehand: this process pays for it, too.
 */
async function waitsBeside(work: () => Promise<unknown>, call: () => Promise<unknown>): Promise<Waits> {
  await call()
  let isDone = false
  const waits: Waits = { turnMs: 0, callMs: 0 }
  const turns = async () => {
    for (let before = cpuMs(); !isDone; ) {
      await nextTurn()
      const now = cpuMs()
      waits.turnMs = Math.max(waits.turnMs, now - before)
      before = now
    }
  }
  const calls = async () => {
    while (!isDone) {
      const before = cpuMs()
      await call()
      waits.callMs = Math.max(waits.callMs, cpuMs() - before)
    }
  }
  const others = Promise.all([turns(), calls()])
  try {
    await work()
  } finally {
    isDone = true
    await others
  }
  return waits
}

/**
 * Like `waitsBeside`, but runs `work` up to three times, until the other caller waits no longer
 * than `maxMs` once. What a garbage collection or a first compilation adds happens once; a loop
 * that is held is held each time.
 */
export async function bestWaitsBeside(
  work: () => Promise<unknown>,
  call: () => Promise<unknown>,
  maxMs: number = MAX_WAIT_MS,
): Promise<Waits> {
  let best: Waits = { turnMs: Number.POSITIVE_INFINITY, callMs: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < ATTEMPTS && Math.max(best.turnMs, best.callMs) > maxMs; attempt++) {
    const waits = await waitsBeside(work, call)
    if (Math.max(waits.turnMs, waits.callMs) < Math.max(best.turnMs, best.callMs)) best = waits
  }
  return best
}
