import { type Static, Type } from 'typebox'
import {
  FREQUENCY_COMPARATORS,
  LOOKBACK_DAYS,
  SEGMENT_OPERATORS,
  type Segment,
} from '../../../domain/audience-members/segments.ts'
import type { Violation } from '../../../platform/http/errors.ts'
import { compileBody } from '../../../platform/http/input/body.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { compileReply, RawJson } from '../../../platform/http/reply.ts'
import {
  base36,
  choice,
  closedComponent,
  component,
  integerChoice,
  raw,
} from '../../../platform/http/schema.ts'
import { byVocabulary, type Vocabulary } from '../../../platform/http/vocabulary.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { violationError } from '../../../platform/protocols/ads/errors.ts'
import type { JsonReader } from '../entity/fields.ts'

/** The maximum number of audiences that a combination names (reference, 08 section 5). */
const MAX_LEAVES = 10
const MAX_DEPTH = 10
const MAX_FREQUENCY = 2 ** 31 - 1
const { Optional } = Type

const AUDIENCE = 'An audience of uploaded users. Exclusive with `child_segments`.'

const members = {
  custom_audience_id: Optional(base36(AUDIENCE)),
  boolean_operator: Optional(
    choice([...SEGMENT_OPERATORS], 'How `child_segments` are combined.', 'SegmentOperator'),
  ),
  frequency: Type.Integer({
    minimum: 1,
    maximum: MAX_FREQUENCY,
    default: 1,
    description: 'How often. Every member of an audience fulfills it.',
  }),
  frequency_comparator: choice(
    [...FREQUENCY_COMPARATORS],
    'How the frequency is compared; `NUM_GTE` by default.',
    'FrequencyComparator',
  ),
  lookback_window: Optional(
    integerChoice(
      LOOKBACK_DAYS,
      'Days: only members who became members in them. Every member by default.',
      'LookbackDays',
    ),
  ),
  negate: Type.Boolean({ default: false, description: 'Whether those who match are excluded.' }),
}

/** What the documents say of the children: they have the form of their parent. */
const children = Type.Array(Type.Object({}), {
  maxItems: MAX_LEAVES,
  description: 'Segments of the same form; empty for a segment that names an audience.',
})

/** A node of a combination of audiences, as replies show it. */
export const AudienceSegment = closedComponent('AudienceSegment', { ...members, child_segments: children })

const { frequency, frequency_comparator, negate } = members

const NewSegment = component(
  'NewAudienceSegment',
  Type.Object({
    ...members,
    custom_audience_id: Optional(
      Type.String({ pattern: '^[0-9a-zA-Z]{1,64}$', format: 'base36', description: AUDIENCE }),
    ),
    frequency: Optional(frequency),
    frequency_comparator: Optional(frequency_comparator),
    negate: Optional(negate),
    child_segments: Optional(raw(children)),
  }),
)

/** A combination as a batch takes it, for the documents. */
export const newSegments = raw({
  ...NewSegment,
  description: 'What an audience of another type than `CRM` combines.',
})

const readerOf = byVocabulary((vocabulary) => compileBody(NewSegment, vocabulary, { absentNulls: true }))

/** A rule of the tree that is broken, after which nothing else of it is read. */
class WrongTree {
  readonly error: AdsError
  constructor(error: AdsError) {
    this.error = error
  }
}

/** Reads a combination, with its defaults, as JSON text. */
export const readSegments: JsonReader = (json, _, vocabulary) => {
  const reader = new SegmentReader(vocabulary)
  try {
    const segment = reader.read(json, 'segments')
    return reader.errors.length > 0 ? reader : { value: JSON.stringify(segment) }
  } catch (error) {
    if (error instanceof WrongTree) return { errors: [error.error] }
    throw error
  }
}

class SegmentReader {
  readonly errors: AdsError[] = []
  readonly #vocabulary: Vocabulary
  #leaves = 0

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** A node and those below it. It is meaningless if there are errors. */
  read(json: unknown, path: string, depth = 1): Segment {
    if (depth > MAX_DEPTH)
      throw new WrongTree(wrongParameter(path, msg`A maximum of ${MAX_DEPTH} levels of segments may be sent`))
    const violations: Violation[] = []
    const sent = (readerOf(this.#vocabulary)(json, violations) ?? {}) as Static<typeof NewSegment>
    const place = this.#vocabulary.name(path)
    this.errors.push(
      ...violations.map((one) => violationError({ ...one, name: `${place}${one.name.slice(1)}` })),
    )
    const nodes = sent.child_segments ?? []
    if (!Array.isArray(nodes)) {
      this.errors.push(wrongParameter(`${path}.child_segments`, msg`Expected a list of segments`))
      return { ...sent, ...DEFAULTS, child_segments: [] }
    }
    if (violations.length === 0) this.errors.push(...this.#wrongMembers(sent, path, nodes.length > 0))
    this.#leaves += nodes.length === 0 ? 1 : 0
    // Children that are too many are not read: each has a leaf.
    if (this.#leaves > MAX_LEAVES || nodes.length > MAX_LEAVES)
      throw new WrongTree(
        wrongParameter('segments', msg`A maximum of ${MAX_LEAVES} segments may name an audience`),
      )
    const { custom_audience_id: audience, boolean_operator, ...others } = sent
    return {
      ...(nodes.length > 0 ? { boolean_operator } : { custom_audience_id: audience?.toLowerCase() }),
      ...DEFAULTS,
      ...others,
      child_segments: nodes.map((child, index) =>
        this.read(child, `${path}.child_segments[${index}]`, depth + 1),
      ),
    } as Segment
  }

  #wrongMembers(
    { custom_audience_id, boolean_operator, lookback_window }: Static<typeof NewSegment>,
    path: string,
    isInner: boolean,
  ): AdsError[] {
    const [audience, days] = [`${path}.custom_audience_id`, `${path}.lookback_window`]
    if (!isInner) return custom_audience_id === undefined ? [missingParameter(audience)] : []
    return [
      ...(boolean_operator === undefined ? [missingParameter(`${path}.boolean_operator`)] : []),
      ...(custom_audience_id === undefined
        ? []
        : [
            wrongParameter(
              audience,
              msg`custom_audience_id and child_segments are exclusive parameters`,
              'EXCLUSIVE_PARAMETERS',
            ),
          ]),
      ...(lookback_window === undefined
        ? []
        : [
            wrongParameter(days, msg`Only a segment that names an audience has a ${word('lookback_window')}`),
          ]),
    ]
  }
}

const DEFAULTS = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false } as const

/** A combination as somebody sent it, with other names for its audiences. */
export function renamedLeaves(json: unknown, rename: (audience: string) => unknown, depth = 1): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || depth > MAX_DEPTH) return json
  const { custom_audience_id: audience, child_segments: nodes, ...rest } = json as Record<string, unknown>
  return {
    ...(audience !== undefined && {
      custom_audience_id: typeof audience === 'string' ? rename(audience) : audience,
    }),
    ...rest,
    ...(nodes !== undefined && {
      child_segments: Array.isArray(nodes)
        ? nodes.map((child) => renamedLeaves(child, rename, depth + 1))
        : nodes,
    }),
  }
}

/** A combination in a reply, under public names. */
export const shownSegments = (segment: Segment, vocabulary: Vocabulary): RawJson =>
  new RawJson(
    compileReply(
      AudienceSegment,
      vocabulary,
    )({
      ...segment,
      child_segments: new RawJson(
        `[${segment.child_segments.map((child) => shownSegments(child, vocabulary).text).join(',')}]`,
      ),
    }),
  )
