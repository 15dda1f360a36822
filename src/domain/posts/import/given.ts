import type { Violation } from '../../../platform/http/errors.ts'
import { compileBody } from '../../../platform/http/input/body.ts'
import { plain, type Schema } from '../../../platform/http/schema.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { problemSentence } from '../../../platform/protocols/problem/errors.ts'
import { GIVEN_MEMBERS, GivenPost } from '../given.ts'

const read = compileBody(GivenPost, neutralVocabulary)

/** The names of members that are read here. */
export const GIVEN_NAMES: readonly string[] = Object.keys(GIVEN_MEMBERS)

const namesIn = ({ properties = {}, items }: Schema): string[] => [
  ...(items ? namesIn(items) : []),
  ...Object.entries(properties).flatMap(([name, member]) => [name, ...namesIn(member)]),
]

/** The names of all members in them. */
export const GIVEN_WORDS: readonly string[] = namesIn(plain(GivenPost))

/**
 * Reads what an exported post says that the platform does not find out by itself. Exports have more
 * members than can be given, and empty ones: they are ignored.
 * @throws an error for the first wrong value, with the sentence about it, by `wrong`
 */
export function readGiven(
  given: Readonly<Record<string, unknown>>,
  wrong: (sentence: string) => Error,
): GivenPost | undefined {
  const members = knownMembers(given, plain(GivenPost))
  if (isEmpty(members)) return undefined
  const violations: Violation[] = []
  const post = read(members, violations) as GivenPost
  const [violation] = violations
  if (violation) throw wrong(problemSentence(violation, neutralVocabulary))
  return post
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

/** A value with the members that a schema declares, without empty ones. */
function knownMembers(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => knownMembers(item, schema.items ?? {}))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const known = knownMembers(value[name], member)
      return isEmpty(known) ? [] : [[name, known]]
    }),
  )
}
