import { type Check, CheckStopped } from '../../workbench/checks/check.ts'
import { comparisons } from './all.ts'
import { compareAll } from './comparison.ts'

/** Runs all comparisons, and says what differs. */
export const runCheck: Check = async (store, { repair, signal, say }) => {
  let compared = 0
  let differing = 0
  const options = {
    repair,
    found: ({ stored, expected, ...of }) =>
      say({ difference: { ...of, stored: String(stored), expected: String(expected) } }),
    async progress(name, soFar) {
      await say({ progress: { name, compared: soFar } })
      if (signal.aborted) throw new CheckStopped('the check was stopped')
    },
  } satisfies Parameters<typeof compareAll>[2]
  for await (const comparison of compareAll(store, comparisons, options)) {
    compared += comparison.compared
    differing += comparison.differing
    await say({ comparison })
  }
  await say({ result: { compared, differing, repaired: repair && differing > 0 } })
}
