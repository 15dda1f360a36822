import { LANGUAGES } from '../src/domain/query-language/languages.ts'
import {
  HAS_ALIASES,
  HAS_MATCHES,
  HAS_USES,
  IS_MATCHES,
  OPERATORS,
  type QueryOperator,
} from '../src/domain/query-language/operators.ts'
import { isSearch, MAX_CLAUSES, maxQueryLength, type QueryUse } from '../src/domain/query-language/query.ts'
import { code, page, table } from './markdown.ts'

const USES: readonly (readonly [QueryUse, string])[] = [
  ['search/recent', 'Recent search'],
  ['search/all', 'Search of all posts'],
  ['counts/recent', 'Recent counts'],
  ['counts/all', 'Counts of all posts'],
  ['stream', 'Rules of the filtered stream'],
  ['powerstream', 'Rules of the powerstream'],
]

/** The page of the reference about queries. */
export function queryLanguagePage(): string {
  return page(
    'Query language',
    'Search, counts and stream rules share one query language. `plaza query explain` shows how Plaza reads a query.',
    '## Grammar',
    GRAMMAR,
    '## Operators',
    OPERATORS_ARE,
    table(
      ['Operator', 'Matches posts …', 'Available in', 'Standalone', 'Notes'],
      [...written(), ...[...OPERATORS].map(([name, one]) => operatorRow(name, one)), ...valueRows()],
    ),
    '## Languages',
    `\`lang:\` accepts ${[...LANGUAGES].map(code).join(' ')}. \`zh-cn\`, \`zh-tw\` and \`zh\` are the same.`,
    '## Limits',
    `A query has at most ${MAX_CLAUSES} clauses. Maximum number of characters, including spaces:`,
    table(
      ['Query', 'Plan `self-serve`', 'Plan `enterprise`'],
      USES.map(([use, name]) => [
        name,
        String(maxQueryLength(use, 'self-serve')),
        String(maxQueryLength(use, 'enterprise')),
      ]),
    ),
  )
}

const GRAMMAR = `- Clauses separated by a space must all match: ${code('cat dog')}. ${code('OR')}, in capitals, separates alternatives: ${code('cat OR dog')}.
- The space binds more tightly than ${code('OR')}: ${code('cat OR dog bird')} is ${code('cat OR (dog bird)')}. Parentheses group clauses.
- ${code('-')} directly before a clause negates it. Groups cannot be negated: write ${code('-cat -dog')} to exclude both.
- A keyword is a word of the text. Case is ignored. Punctuation and symbols separate words; ${code('"…"')} matches
  words in sequence. ${code('\\"')} is a quotation mark inside.
- In search and counts, accents are ignored, and quoted posts are not searched. In stream rules, accents
  matter, and the text of a quoted post is part of the post.
- In search and counts, a query for words finds no reposts.
- Place operators and ${code('has:geo')} do not match reposts.
- ${code('point_radius:')} and ${code('bounding_box:')} match places whose bounding box is completely inside. Cities and postal codes have a
  bounding box; regions and countries do not. The radius and each side must be less than 25 mi.`

const OPERATORS_ARE =
  'A query needs at least one standalone operator that is not negated, and so does each side of `OR`. Very common words do not count as standalone. Operators for which Plaza has no data are accepted and match nothing.'

const written = (): string[][] => [
  [code('cat'), 'with this word or emoji', 'everywhere', 'yes', ''],
  [code('"big cat"'), 'with these words in sequence', 'everywhere', 'yes', ''],
  [code('"big cat"~3'), 'with these words near each other: up to 6 between them', 'rules', 'yes', ''],
  [code('#cats'), 'with this hashtag', 'everywhere', 'yes', ''],
  [code('@ada'), 'that mention this user', 'everywhere', 'yes', ''],
  [code('$ACME'), 'with this cashtag', 'everywhere', 'yes', ''],
]

const operatorRow = (_name: string, one: QueryOperator): string[] => [
  code(one.example),
  one.matches,
  placeOf(one),
  one.standalone ? 'yes' : 'no',
  [
    ...(one.aliases ?? []).map((alias) => code(`${alias}:`)),
    ...(one.negation === 'never' ? ['not negated'] : []),
    ...(one.most === 1 ? ['once'] : []),
    ...(one.enterprise ? ['plan `enterprise`'] : []),
    ...(one.missing === undefined ? [] : [`matches nothing: ${one.missing}`]),
  ].join(', '),
]

function placeOf({ uses }: Pick<QueryOperator, 'uses'>): string {
  if (uses.length === USES.length) return 'everywhere'
  if (uses.length === 1) return 'rules of the powerstream'
  if (!uses.includes('stream')) return 'search, counts'
  return uses.some(isSearch) ? 'recent search and counts, rules' : 'rules'
}

const valueRows = (): string[][] => [
  ...Object.entries(IS_MATCHES).map(([value, matches]) =>
    value === 'nullcast'
      ? [code('-is:nullcast'), 'that are not only promoted', 'everywhere', 'no', 'must be negated']
      : [code(`is:${value}`), matches, 'everywhere', 'no', ''],
  ),
  ...Object.entries(HAS_MATCHES).map(([value, matches]) => [
    code(`has:${value}`),
    matches,
    placeOf({ uses: HAS_USES[value as keyof typeof HAS_MATCHES] ?? USES.map(([use]) => use) }),
    'no',
    Object.entries(HAS_ALIASES)
      .filter(([, own]) => own === value)
      .map(([alias]) => code(`has:${alias}`))
      .join(', '),
  ]),
]
