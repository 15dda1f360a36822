import { ManualClock } from '../../src/common/clock.ts'
import type { Config } from '../../src/config/config.ts'
import { configOf } from '../../src/config/config.ts'
import { endpoints } from '../../src/endpoints.ts'
import type { Given, Plaza } from '../../src/server.ts'
import { startServer } from '../../src/server.ts'
import { noting } from './seen.ts'

/** Tests start here unless they say otherwise: 2026-03-01T12:00:00Z. */
export const START_MS = Date.UTC(2026, 2, 1, 12)

/** Hashing the passwords of the demo would take longer than everything else of a start. */
const FEW_ROUNDS = 2 ** 8

/** A Plaza on free ports, in memory, with a clock of its own. */
export async function startPlaza(
  config: Partial<Config> = {},
  given: Given = {},
): Promise<Plaza & { clock: ManualClock }> {
  const clock = given.clock instanceof ManualClock ? given.clock : new ManualClock(START_MS)
  const plaza = await startServer(
    configOf({
      memory: config.data === undefined && config.databaseUrl === undefined,
      corePort: 0,
      adsPort: 0,
      adsSandboxPort: 0,
      consolePort: 0,
      logLevel: 'silent',
      seed: 'demo',
      // Tests count the users whom they add themselves.
      seedPopulation: 0,
      // Tests call no one but who they started.
      fetchImages: false,
      // Nor do they depend on what this machine has.
      ffmpeg: 'none',
      ...config,
    }),
    // A task that runs by itself runs at another moment each time: tests say when.
    {
      ...{ clock, endpoints: noting(endpoints), backgroundTasks: false, passwordRounds: FEW_ROUNDS },
      // Some tests wait until every event is handled.
      storeIgnoredAfterMs: 0,
      ...given,
    },
  )
  return Object.assign(plaza, { clock })
}
