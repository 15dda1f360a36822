import { option, text } from './option.ts'
import { plainText, wholeNumber } from './readers.ts'

/** The most users that a first start adds to those of a seed. */
export const MAX_POPULATION = 100_000

/** What a start does beside, and the names that clients see. */
export const startOptions = {
  seed: option({
    flag: 'seed',
    takes: 'none|demo|FILE',
    describe: 'Data that the first start writes to an empty store.',
    fallback: undefined as string | undefined,
    fallbackText: 'demo; none with --database-url or --hardened',
    read: plainText,
  }),
  seedPopulation: option({
    flag: 'seed-population',
    takes: 'N',
    describe:
      'Synthetic users with profiles and posts in several countries and languages that the first start adds, for audience estimates. They cannot sign in.',
    fallback: undefined as number | undefined,
    fallbackText: 'as the seed says: 500 with demo',
    read: wholeNumber(0, MAX_POPULATION),
  }),
  seedRandom: text({
    flag: 'seed-random',
    takes: 'TEXT',
    describe:
      'Seed of random values: the first start creates the same ids, keys and tokens, dated 2026-01-01, on every run, and later tokens are the same too. Anyone who knows the seed knows every secret: for tests only.',
  }),
  readyFile: text({
    flag: 'ready-file',
    takes: 'FILE',
    describe: 'Write a JSON object to this file once every listener is open.',
  }),
  vocabulary: text({
    flag: 'vocabulary',
    takes: 'FILE',
    describe: 'Rename words, identifiers, paths, headers and versions.',
  }),
} as const
