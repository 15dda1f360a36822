import { systemClock } from '../../platform/common/clock.ts'
import { exactJson, jsonText } from '../../platform/common/exact-json.ts'
import { type JsonFile, pointerOf, readJsonFile } from '../../platform/common/json-file.ts'
import { readYamlFile } from '../../platform/common/yaml-file.ts'
import type { Violation } from '../../platform/http/errors.ts'
import { compileBody } from '../../platform/http/input/reader.ts'
import { type JsonSchema, renamedSchema } from '../../platform/http/renamed-schema.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import { problemSentence } from '../../platform/protocols/problem/errors.ts'
import { problemsOf } from './contradictions.ts'
import { Seed } from './schema.ts'

/** The JSON schema of seed files, from the declaration that validates them. */
export const seedSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Seed file of Plaza',
  ...renamedSchema(Seed, neutralVocabulary),
})

/**
 * Reads and validates a seed file: YAML if its name says so, and JSON otherwise. For a start and
 * for `plaza seed check`: what passes here can be written to an empty database. Throws
 * one error that lists every invalid value, one per line:
 * `seed.json:12:7: at /users/0/name: must be between 1 and 50 long`. Relative
 * times count from `now`.
 */
export function readSeedFile(file: string, now = systemClock.now()): Seed {
  return checkedSeed(/\.ya?ml$/i.test(file) ? readYamlFile(file) : readJsonFile(file), now)
}

/**
 * Validates a seed that a program passes. Throws like `readSeedFile`: `seed: at /users/0/name: must
 * be …`.
 */
export const readSeedObject = (seed: object, now = systemClock.now()): Seed =>
  checkedSeed(
    {
      value: exactJson(jsonText(seed)),
      error: (pointer, what) => new Error(`seed: at ${pointer}: ${what}`),
    },
    now,
  )

function checkedSeed(json: JsonFile, now: number): Seed {
  const violations: Violation[] = []
  const seed = compileBody(Seed, neutralVocabulary)(json.value, violations) as Seed
  const wrong =
    violations.length > 0
      ? violations.map((violation) => json.error(pointerTo(violation.name), sentenceOf(violation)))
      : problemsOf(seed, now).map(({ pointer, what }) => json.error(pointer, what))
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('\n'))
  return seed
}

/** `/users/0/name` of `$.users[0].name`. */
const pointerTo = (path: string) =>
  pointerOf(...[...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? ''))

/** The error message without the path: the pointer contains it. */
const sentenceOf = (violation: Violation) =>
  problemSentence(violation, neutralVocabulary).slice(violation.name.length + 2)
