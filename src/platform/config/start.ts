import { option, text } from './option.ts'
import { pattern, wholeNumber } from './readers.ts'

/** Maximum number of users that a first start adds to those of a seed. */
export const MAX_POPULATION = 100_000

/** What a start does in addition, and the names that clients see. */
export const startOptions = {
  seed: option({
    flag: 'seed',
    takes: 'none|demo|FILE',
    describe: 'Data that the first start writes to an empty database.',
    // A program may pass the content of the file.
    fallback: undefined as string | object | undefined,
    fallbackText: 'demo; none with --database-url or --hardened',
    read: pattern(/./, 'none, demo or the name of a file'),
  }),
  seedPopulation: option({
    flag: 'seed-population',
    takes: 'N',
    describe:
      'Number of synthetic users that the first start adds, for audience estimates. They have profiles and posts in several countries and languages, and cannot sign in.',
    fallback: undefined as number | undefined,
    fallbackText: 'the value in the seed; 500 with demo',
    read: wholeNumber(0, MAX_POPULATION),
  }),
  seedRandom: text({
    flag: 'seed-random',
    takes: 'TEXT',
    describe:
      'Seed of the random generator. With the same seed, the first start creates the same ids, keys and tokens on every run, dated 2026-01-01, and later tokens are the same too. For tests only: anyone who knows the seed knows every secret.',
  }),
  readyFile: text({
    flag: 'ready-file',
    takes: 'FILE',
    describe:
      'JSON file that describes the running Plaza. `start` writes it once every listener is open and earlier changes can be searched; other commands read it.',
  }),
  vocabulary: text({
    flag: 'vocabulary',
    takes: 'FILE',
    describe: 'File that renames words, identifiers, paths, headers and versions.',
  }),
} as const
