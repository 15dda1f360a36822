import { readEntities } from '../../platform/text/entities.ts'
import { foldAccents, wordsOf } from '../query-language/tokenize.ts'

// Our own word lists for the scores of notes: English, in lower case, without accents.

const list = (words: string) => new Set(words.split(/\s+/))

/** Verbs and adjectives of opinion. */
const OPINION_WORDS = list(`
  think thinks believe believes feel feels feeling guess suspect opinion opinions imho obviously clearly surely
  certainly undoubtedly honestly frankly terrible horrible awful disgusting disgraceful shameful ridiculous absurd
  outrageous stupid insane crazy pathetic laughable dumb best worst amazing wonderful great fantastic brilliant beautiful
  ugly evil hate love hates loves should ought deserve deserves corrupt hypocrite propaganda nonsense garbage`)

/** Words that leave open whether a statement is true. */
const HEDGES = list(`
  maybe perhaps possibly probably might could seems seem seemingly apparently supposedly presumably likely unlikely
  somewhat arguably allegedly rumored rumoured`)

/** The writer. */
const FIRST_PERSON = list('i me my mine myself we us our ours ourselves im ive id ill weve')

/** Statements without exceptions. */
const ABSOLUTES = list(
  'always never everyone everybody nobody noone nothing everything totally completely utterly',
)

/** Words that name the source of a statement. */
const SOURCE_WORDS = list(`
  according reported reports report published study studies data statistics census survey records record transcript
  statement announced confirmed official documents document court filing source sources archive`)

/** Insults and threats. */
const ABUSIVE_WORDS = list(`
  idiot idiots moron morons imbecile imbeciles scum trash filth filthy loser losers clown clowns liar liars vermin
  retard retarded bastard bastards bitch whore slut kys subhuman parasite parasites`)

export const EVALUATORS = ['UrlValidity', 'ClaimOpinion', 'HarassmentAbuse'] as const
export const BUCKETS = ['High', 'Medium', 'Low'] as const

type ScoreBucket = (typeof BUCKETS)[number]

/** The result of one evaluator of a note: `High` is the best. */
export interface EvaluationOutcome {
  readonly evaluator_type: (typeof EVALUATORS)[number]
  readonly evaluator_score_bucket: ScoreBucket
}

/** The beginning of a URL, up to the next space. */
const ADDRESS = /https?:\/\/\S+/gi

/** The features of a text that affect its score. */
function featuresOf(text: string) {
  const plain = text.replace(ADDRESS, ' ')
  const words = wordsOf(plain).map(foldAccents)
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length
  return {
    opinions: count(OPINION_WORDS),
    hedges: count(HEDGES),
    firstPerson: count(FIRST_PERSON),
    absolutes: count(ABSOLUTES),
    abuse: count(ABUSIVE_WORDS),
    sourceWords: count(SOURCE_WORDS),
    numbers: words.filter((word) => /^[0-9]+$/.test(word)).length,
    quotations: plain.match(/"[^"]+"|“[^”]+”/g)?.length ?? 0,
    exclamations: plain.match(/!/g)?.length ?? 0,
    questions: plain.match(/\?/g)?.length ?? 0,
    // Two letters may be the name of a country.
    shouted: plain.match(/\b[A-Z]{4,}\b/g)?.length ?? 0,
    hosts: hostsOf(text),
  }
}

/** The distinct sites that a text links to. */
const hostsOf = (text: string) =>
  new Set(readEntities(text).urls.map(({ expanded_url }) => hostOf(expanded_url))).size

const hostOf = (url: string) => URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''

/** Points of one feature: for each occurrence, up to a maximum. */
interface FeatureWeight {
  readonly each: number
  readonly most: number
}

/** The score is the sum of these, limited to -10 to 5. */
const WEIGHTS: Readonly<Record<keyof ReturnType<typeof featuresOf>, FeatureWeight>> = {
  hosts: { each: 1, most: 2 },
  numbers: { each: 0.5, most: 1.5 },
  sourceWords: { each: 0.5, most: 1 },
  quotations: { each: 0.5, most: 0.5 },
  opinions: { each: -1.5, most: -6 },
  firstPerson: { each: -1, most: -3 },
  abuse: { each: -2, most: -6 },
  hedges: { each: -0.75, most: -3 },
  absolutes: { each: -0.5, most: -2 },
  exclamations: { each: -0.5, most: -1.5 },
  questions: { each: -0.5, most: -1 },
  shouted: { each: -0.5, most: -1.5 },
}

const MIN_SCORE = -10
const MAX_SCORE = 5

/**
 * How much a text reads like a claim with sources rather than like an opinion, from -10 to 5.
 * Opinions are below zero. The score depends only on the text (core reference, 04 section 3).
 */
export function claimOpinionScore(text: string): number {
  const features = featuresOf(text)
  const sum = Object.entries(WEIGHTS).reduce((total, [name, { each, most }]) => {
    const points = features[name as keyof typeof features] * each
    return total + (most < 0 ? Math.max(points, most) : Math.min(points, most))
  }, 0)
  return Math.min(Math.max(sum, MIN_SCORE), MAX_SCORE)
}

const MEDIUM_OPINION_SCORE = -3

/** The results of all evaluators of a note. */
export function evaluate(text: string): EvaluationOutcome[] {
  const score = claimOpinionScore(text)
  const { abuse } = featuresOf(text)
  return [
    { evaluator_type: 'UrlValidity', evaluator_score_bucket: urlBucket(text) },
    {
      evaluator_type: 'ClaimOpinion',
      evaluator_score_bucket: score >= 0 ? 'High' : score >= MEDIUM_OPINION_SCORE ? 'Medium' : 'Low',
    },
    {
      evaluator_type: 'HarassmentAbuse',
      evaluator_score_bucket: abuse === 0 ? 'High' : abuse === 1 ? 'Medium' : 'Low',
    },
  ]
}

/** A URL is valid if posts would link it. It is not requested, so that the result never changes. */
function urlBucket(text: string): ScoreBucket {
  const written = text.match(ADDRESS)?.length ?? 0
  const valid = readEntities(text).urls.filter(({ url }) => /^https?:/i.test(url)).length
  if (valid === 0) return 'Low'
  return valid < written ? 'Medium' : 'High'
}

export const MAX_NOTE_LENGTH = 280

/** The length of a note in characters. Each URL counts as 1. */
export const noteLength = (text: string): number => Array.from(text.replace(ADDRESS, '_')).length

export const hasAddress = (text: string): boolean => new RegExp(ADDRESS, 'i').test(text)
