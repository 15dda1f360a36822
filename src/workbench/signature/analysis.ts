import { createHmac } from 'node:crypto'
import { sameText } from '../../platform/common/same-text.ts'
import { Slices } from '../../platform/common/slices.ts'
import type { Pair } from '../../platform/http/input/form.ts'
import { isSecretName, MASK, maskedFields } from '../journal/mask.ts'
import {
  joins,
  keysOf,
  methodsOf,
  normalizersOf,
  type SignatureParts,
  urisOf,
  type Variant,
  writings,
} from './variants.ts'

/** What became of a signature. */
export interface SignatureAnalysis {
  readonly matches: boolean
  /** What the client must sign, with secrets masked. */
  readonly expectedBaseString: string
  /** What the client signed, if a known mistake explains it; with secrets masked. */
  readonly clientBaseString: string | undefined
  readonly mistakes: readonly string[]
  /** The place in both base strings where they begin to differ. */
  readonly firstDifference: number | undefined
}

/**
 * With more characters of parameters than this, mistakes are not searched for: each takes one
 * digest of all of them.
 */
const MAX_CHARACTERS = 8_192

/** One of each: a way to sign. */
interface Way {
  readonly method: Variant<string>
  readonly uri: Variant<string>
  readonly normalize: Variant<(parts: SignatureParts) => string>
  readonly join: Variant<(method: string, uri: string, normalized: string) => string>
  readonly key: Variant<string>
  readonly writing: Variant<(digest: Buffer) => string>
}

/**
 * Compares a signature with the expected one. If they differ, tries what clients commonly do wrong,
 * alone and in pairs, and tells which mistake gives the signature that was sent.
 */
export async function analyseSignature(parts: SignatureParts, signature: string): Promise<SignatureAnalysis> {
  const expected = baseStringOf(rightWay(parts), withoutSecrets(parts))
  const none = { expectedBaseString: expected, clientBaseString: undefined, firstDifference: undefined }
  if (isTooLong(parts)) return { ...none, matches: isRight(parts, signature), mistakes: [] }
  const slices = new Slices()
  for (const way of ways(parts)) {
    if (slices.isOver) await slices.next()
    if (!sameText(signatureOf(way, parts), signature)) continue
    const mistakes = mistakesOf(way)
    if (mistakes.length === 0) return { ...none, matches: true, mistakes }
    const client = baseStringOf(way, withoutSecrets(parts))
    return {
      matches: false,
      expectedBaseString: expected,
      clientBaseString: client,
      mistakes,
      firstDifference: firstDifference(expected, client),
    }
  }
  return { ...none, matches: false, mistakes: [] }
}

const isRight = (parts: SignatureParts, signature: string): boolean =>
  [parts.uri, ...parts.otherUris].some((uri) => {
    const way = { ...rightWay(parts), uri: { mistake: undefined, value: uri } }
    return sameText(signatureOf(way, parts), signature)
  })

/** The first place at which two texts differ; undefined if they are equal. */
export function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined
  let at = 0
  while (a[at] === b[at]) at++
  return at
}

const isTooLong = ({ headerPairs, queryPairs, formPairs }: SignatureParts) =>
  [headerPairs, queryPairs, formPairs]
    .flat()
    .reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MAX_CHARACTERS

const first = <Value>(variants: readonly Variant<Value>[]): Variant<Value> => variants[0] as Variant<Value>

const rightWay = (parts: SignatureParts): Way => ({
  method: first(methodsOf(parts)),
  uri: first(urisOf(parts)),
  normalize: first(normalizersOf(parts)),
  join: first(joins),
  key: first(keysOf(parts)),
  writing: first(writings),
})

/** Every way to sign with at most two mistakes, those with fewer first. */
function* ways(parts: SignatureParts): Generator<Way> {
  const base = rightWay(parts)
  const single = [
    ...methodsOf(parts).map((method) => ({ method })),
    ...urisOf(parts).map((uri) => ({ uri })),
    ...normalizersOf(parts).map((normalize) => ({ normalize })),
    ...joins.map((join) => ({ join })),
    ...keysOf(parts).map((key) => ({ key })),
    ...writings.map((writing) => ({ writing })),
  ]
  yield base
  for (const one of single) yield { ...base, ...one }
  for (const [index, one] of single.entries())
    for (const other of single.slice(index + 1)) yield { ...base, ...one, ...other }
}

const baseStringOf = ({ method, uri, normalize, join }: Way, parts: SignatureParts): string =>
  join.value(method.value, uri.value, normalize.value(parts))

const signatureOf = (way: Way, parts: SignatureParts): string =>
  way.writing.value(createHmac('sha1', way.key.value).update(baseStringOf(way, parts)).digest())

/** Two steps may have the same mistake. */
const mistakesOf = (way: Way): string[] => [
  ...new Set(
    Object.values(way).flatMap(({ mistake }: Variant<unknown>) => (mistake === undefined ? [] : [mistake])),
  ),
]

/** The same parts for showing: values of secret parameters are masked. */
function withoutSecrets(parts: SignatureParts): SignatureParts {
  const masked = (pairs: readonly Pair[]) =>
    pairs.map(([name, value]): Pair => [name, isSecretName(name) ? MASK : value])
  return {
    ...parts,
    query: maskedFields(parts.query),
    headerPairs: masked(parts.headerPairs),
    queryPairs: masked(parts.queryPairs),
    formPairs: masked(parts.formPairs),
  }
}
