import { type Static, Type } from 'typebox'
import { choice, component, id, storedChoice } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import { BUCKETS, EVALUATORS, type EvaluationOutcome } from './evaluation.ts'
import { notesByIds } from './queries.ts'
import { HELPFUL_TAGS, NOT_HELPFUL_TAGS, type RatingCounts, STATUSES, topTag } from './ratings.ts'
import type { NoteRow } from './tables.ts'

const closed = { additionalProperties: false }

const MisleadingTag = choice(
  [
    'disputed_claim_as_fact',
    'factual_error',
    'manipulated_media',
    'misinterpreted_satire',
    'missing_important_context',
    'other',
    'outdated_information',
  ],
  'Why the post is misleading.',
  'MisleadingTag',
)

/** The content of a note (core reference, 04 section 3). */
export const NoteInfo = component(
  'NoteInfo',
  Type.Object(
    {
      text: Type.String({
        minLength: 1,
        description: 'Up to 280 characters; each URL counts as one. Must contain an http or https URL.',
      }),
      classification: choice(
        ['misinformed_or_potentially_misleading', 'not_misleading'],
        'What the note says about the post.',
        'NoteClassification',
      ),
      misleading_tags: Type.Array(MisleadingTag, {
        uniqueItems: true,
        description: 'Why the post is misleading: at least one reason if it is, none if it is not.',
      }),
      trustworthy_sources: Type.Boolean({ description: 'Whether the sources are trustworthy.' }),
      is_media_note: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether the note is about the media of the post.' }),
      ),
    },
    closed,
  ),
)
export type NoteInfo = Static<typeof NoteInfo>

const count = Type.Integer({ minimum: 0 })
const TagCount = component('NoteTagCount', Type.Object({ tag_name: Type.String(), tag_count: count }, closed))

const BucketCounts = component(
  'NoteRatingCounts',
  Type.Object(
    {
      helpful_count: count,
      somewhat_helpful_count: count,
      not_helpful_count: count,
      helpful_tag_counts: Type.Optional(TagCount),
      not_helpful_tag_counts: Type.Optional(TagCount),
    },
    closed,
  ),
  'Ratings of users with one viewpoint, and their most frequent tags.',
)

const ScoringStatus = component(
  'NoteScoringStatus',
  Type.Object(
    {
      has_access: Type.Boolean({
        description: 'Whether the note can be rated. Test notes cannot.',
      }),
      rating_counts_per_model: Type.Optional(
        Type.Object(
          {
            model_name: Type.String(),
            value: Type.Object(
              {
                positive_factor_bucket_counts: BucketCounts,
                neutral_factor_bucket_counts: BucketCounts,
                negative_factor_bucket_counts: BucketCounts,
              },
              closed,
            ),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
)

const bucket = choice([...BUCKETS], '`High` is the best.', 'NoteScoreBucket')
const evaluator = choice([...EVALUATORS], 'What was evaluated.', 'NoteEvaluator')
const outcome = { evaluator_score_bucket: bucket, evaluator_type: evaluator }

const TestResult = component(
  'NoteTestResult',
  Type.Object(
    { evaluation_outcome: Type.Array(Type.Object(outcome, closed)), ...outcome },
    {
      ...closed,
      description: 'Outcomes of the evaluators. The first outcome is also returned outside the list.',
    },
  ),
)

const MODEL = 'core'

function scoringStatusOf({ ratings, test_mode }: NoteRow): Static<typeof ScoringStatus> {
  if (test_mode === 1) return { has_access: false }
  const counts = JSON.parse(ratings) as RatingCounts
  const shown = (viewpoint: keyof RatingCounts): Static<typeof BucketCounts> => {
    const { helpful, somewhat_helpful, not_helpful } = counts[viewpoint]
    const [good, bad] = [HELPFUL_TAGS, NOT_HELPFUL_TAGS].map((tags) => topTag(counts[viewpoint], tags))
    return {
      helpful_count: helpful,
      somewhat_helpful_count: somewhat_helpful,
      not_helpful_count: not_helpful,
      ...(good && { helpful_tag_counts: good }),
      ...(bad && { not_helpful_tag_counts: bad }),
    }
  }
  const value = {
    positive_factor_bucket_counts: shown('positive'),
    neutral_factor_bucket_counts: shown('neutral'),
    negative_factor_bucket_counts: shown('negative'),
  }
  return { has_access: true, rating_counts_per_model: { model_name: MODEL, value } }
}

function testResultOf({ evaluation }: NoteRow): Static<typeof TestResult> {
  const outcomes = JSON.parse(evaluation) as EvaluationOutcome[]
  const [first] = outcomes
  if (!first) throw new Error('a note was not evaluated')
  return { evaluation_outcome: outcomes, ...first }
}

const infoOf = (row: NoteRow): NoteInfo => ({
  text: row.text,
  classification: row.classification as NoteInfo['classification'],
  misleading_tags: JSON.parse(row.misleading_tags) as NoteInfo['misleading_tags'],
  trustworthy_sources: row.trustworthy_sources === 1,
  is_media_note: row.is_media_note === 1,
})

const { field } = fieldsOf<NoteRow>()

/** A community note, for its writer (core reference, 04 section 3). */
export const note = objectShape<NoteRow>({
  name: 'note',
  plural: 'notes',
  component: 'Note',
  description: 'A community note. Fields that were not requested are omitted.',
  fields: {
    id: field(id('The note.'), (row) => row.id),
    post_id: field(id('The post that it is about.'), (row) => row.post_id),
    info: field(NoteInfo, infoOf),
    scoring_status: field(ScoringStatus, scoringStatusOf),
    status: field(
      storedChoice([...STATUSES], 'Result of the ratings. Test notes have none.', 'NoteStatus'),
      ({ status, test_mode }) => (test_mode === 1 ? undefined : status),
    ),
    test_result: field(TestResult, testResultOf),
  },
  defaults: ['id', 'post_id'],
  required: ['id', 'post_id'],
  lookups: {
    id: {
      load: (ids, { store }) => store.all(notesByIds, { ids: JSON.stringify(ids) }),
      keyOf: (row) => row.id,
    },
  },
  withheld: ({ user_id }, { userId }) => (user_id === userId ? undefined : 'not authorized'),
})
