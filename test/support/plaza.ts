import { endpoints } from '../../src/app/endpoints.ts'
import { type Plaza, startServer } from '../../src/app/server.ts'
import type { StartOverrides } from '../../src/app/start/given.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { type Config, configOf } from '../../src/platform/config/config.ts'
import { checkReply } from './public-replies.ts'
import { noting } from './seen.ts'
import { smallSeed } from './small-seed.ts'

/** Tests start at this time unless they set another one: 2026-03-01T12:00:00Z. */
export const START_MS = Date.UTC(2026, 2, 1, 12)

/** Hashing the passwords of the demo users would take longer than the rest of a start. */
const FEW_ROUNDS = 2 ** 8

export interface TestOverrides extends StartOverrides {
  /** Starts with the clock of the admin API instead of a manual one. */
  usesOwnClock?: boolean
}

/** A Plaza on free ports, in memory, with its own clock. */
export async function startPlaza(
  config: Partial<Config> = {},
  { usesOwnClock = false, clock: givenClock, ...given }: TestOverrides = {},
): Promise<Plaza & { clock: ManualClock }> {
  const memory = config.data === undefined && config.databaseUrl === undefined
  const clock = givenClock instanceof ManualClock ? givenClock : new ManualClock(START_MS)
  const plaza = await startServer(
    configOf({
      memory,
      corePort: 0,
      adsPort: 0,
      adsSandboxPort: 0,
      consolePort: 0,
      logLevel: 'silent',
      seed: smallSeed,
      // Tests count the users that they add.
      seedPopulation: 0,
      // Tests only call servers that they started.
      fetchImages: false,
      // Tests do not depend on the programs of this machine.
      ffmpeg: 'none',
      ...config,
    }),
    // Tasks that run by themselves would run at a different time in each run, so tests run them.
    {
      ...{ endpoints: noting(endpoints), backgroundTasks: false, passwordRounds: FEW_ROUNDS },
      // Some tests wait until every event is handled.
      storeIgnoredAfterMs: 0,
      // In memory, where it costs least, each write shows that it changes nothing outside its
      // transaction.
      runWritesTwice: memory,
      ...(config.vocabulary === undefined && { onJournal: checkReply }),
      ...given,
      ...(!usesOwnClock && { clock: givenClock ?? clock }),
    },
  )
  return Object.assign(plaza, { clock })
}
