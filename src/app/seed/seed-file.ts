import { dirname, resolve } from 'node:path'
import { systemClock } from '../../platform/common/clock.ts'
import { exactJson, jsonText } from '../../platform/common/exact-json.ts'
import { type JsonFile, pointerOf, readJsonFile } from '../../platform/common/json-file.ts'
import { readYamlFile } from '../../platform/common/yaml-file.ts'
import type { Violation } from '../../platform/http/errors.ts'
import { compileBody } from '../../platform/http/input/body.ts'
import { type JsonSchema, renamedSchema, writtenOut } from '../../platform/http/renamed-schema.ts'
import { plain } from '../../platform/http/schema.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import { problemSentence } from '../../platform/protocols/problem/errors.ts'
import type { SeedMedium } from './content/schema.ts'
import { problemsOf } from './contradictions.ts'
import type { SeedProblem } from './problem.ts'
import { SEED_PARTS, Seed } from './schema.ts'

/** The JSON schema of seed files, from the declaration that validates them. */
export const seedSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Seed file of Plaza',
  ...renamedSchema(Seed, neutralVocabulary),
})

/** The parts of a seed as schemas that refer to each other by name, for its types. */
export function seedParts(): Record<string, JsonSchema> {
  const parts = Object.entries(SEED_PARTS)
  const names = new Map(parts.map(([name, schema]) => [plain(schema), name]))
  return Object.fromEntries(
    parts.map(([name, schema]) => [
      name,
      writtenOut(plain(schema), neutralVocabulary, (one) => {
        const found = names.get(one)
        return found === undefined ? undefined : { $ref: `#/components/schemas/${found}` }
      }),
    ]),
  )
}

/**
 * Reads and validates a seed file: YAML if its name says so, and JSON otherwise. For a start and
 * for `plaza seed check`: what passes here can be written to an empty database. Throws
 * one error that lists every invalid value, one per line:
 * `seed.json:12:7: at /users/0/name: must be between 1 and 50 long`. Relative
 * times count from `now`.
 */
export function readSeedFile(file: string, now = systemClock.now()): Seed {
  const read = /\.ya?ml$/i.test(file) ? readYamlFile(file) : readJsonFile(file)
  return checkedSeed(read, dirname(file), now)
}

/**
 * Validates a seed that a program passes. Paths begin in the working directory. Throws like
 * `readSeedFile`: `seed: at /users/0/name: must be …`.
 */
export const readSeedObject = (seed: object, now = systemClock.now()): Seed =>
  checkedSeed(
    {
      value: exactJson(jsonText(seed)),
      error: (pointer, what) => new Error(`seed: at ${pointer}: ${what}`),
    },
    '',
    now,
  )

/** `folder`: the one that paths of media begin in. */
function checkedSeed(json: JsonFile, folder: string, now: number): Seed {
  const { seed, problems } = readSeed(json.value, folder, now)
  const wrong = problems.map(({ pointer, what }) => json.error(pointer, what))
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('\n'))
  return seed
}

/** What is wrong with a value that may be a seed. */
export const seedProblems = (value: unknown, now: number): readonly SeedProblem[] =>
  readSeed(exactJson(jsonText(value)), '', now).problems

function readSeed(value: unknown, folder: string, now: number): { seed: Seed; problems: SeedProblem[] } {
  const violations: Violation[] = []
  const read = compileBody(Seed, neutralVocabulary)(value, violations) as Seed
  if (violations.length > 0) {
    const problems = violations.map((one) => ({ pointer: pointerTo(one.name), what: sentenceOf(one) }))
    return { seed: read, problems }
  }
  const seed = withPaths(read, folder)
  return { seed, problems: problemsOf(seed, now) }
}

/** The seed with whole paths. */
function withPaths(seed: Seed, folder: string): Seed {
  const located = <Post extends { media?: SeedMedium[] }>({ media, ...post }: Post) => ({
    ...post,
    ...(media && {
      media: media.map(({ file, ...one }) => ({
        ...one,
        ...(file !== undefined && { file: resolve(folder, file) }),
      })),
    }),
  })
  if (!seed.posts) return seed
  const posts = seed.posts.map(({ thread, ...post }) => ({
    ...located(post),
    ...(thread && { thread: thread.map(located) }),
  }))
  return { ...seed, posts }
}

/** `/users/0/name` of `$.users[0].name`. */
const pointerTo = (path: string) =>
  pointerOf(...[...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? ''))

/** The error message without the path: the pointer contains it. */
const sentenceOf = (violation: Violation) =>
  problemSentence(violation, neutralVocabulary).slice(violation.name.length + 2)
