import {
  type ExplainedNode,
  explainQuery,
  type QueryExplanation,
} from '../../domain/query-language/explain.ts'
import { queryNames } from '../../domain/query-language/names.ts'
import { parseQuery } from '../../domain/query-language/parse.ts'
import { printQuery } from '../../domain/query-language/print.ts'
import type { Query, QueryError } from '../../domain/query-language/query.ts'
import type { Call } from './command.ts'
import { vocabularyOf } from './words.ts'

const USES = ['search/recent', 'search/all', 'counts/recent', 'counts/all', 'stream', 'powerstream'] as const
const PLANS = ['self-serve', 'enterprise'] as const

/** `plaza query explain`. */
export async function explain({ flags, positionals, config }: Call): Promise<number> {
  const [text = ''] = positionals
  const use = flags.oneOf('for', USES, 'stream')
  const access = flags.oneOf('plan', PLANS, 'self-serve')
  const names = queryNames((identifier) => vocabularyOf(config).spellings(identifier))
  const parsed = parseQuery(text, { for: use, access, names })
  if (!parsed.ok) {
    if (flags.on('json')) console.log(JSON.stringify({ errors: parsed.errors }))
    else for (const error of parsed.errors) console.error(pointedAt(text, error))
    return 1
  }
  const explanation = explainQuery(parsed.query, access, names)
  const printed = printQuery(parsed.query, names)
  if (flags.on('json')) console.log(JSON.stringify({ query: printed, ...explanation }))
  else console.log(inLines(parsed.query, printed, explanation).join('\n'))
  return 0
}

function inLines(
  { use }: Query,
  printed: string,
  { tree, length, clauses, findsNoReposts, terms }: QueryExplanation,
): string[] {
  const rows = treeRows(tree)
  const width = Math.max(...rows.map(([label]) => label.length))
  return [
    printed,
    '',
    ...rows.map(([label, matches = '']) => `${label.padEnd(width + 2)}${matches}`.trimEnd()),
    '',
    `${use}: ${length.used} of ${length.most} characters, ${clauses.used} of ${clauses.most} clauses`,
    ...(findsNoReposts ? ['finds no reposts, because it searches for words'] : []),
    ...terms.map(
      ({ oneOf, and }) =>
        `found by: ${oneOf.join(', ')}${and === undefined ? '' : `; also required: ${and}`}`,
    ),
  ]
}

type Row = readonly [label: string, matches?: string]

/** A tree as lines, each with what its node matches. */
function treeRows({ label, matches, nodes }: ExplainedNode): Row[] {
  const below = nodes.flatMap((node, n) => {
    const isLast = n === nodes.length - 1
    return treeRows(node).map(([text, ...rest], row): Row => {
      const stem = row === 0 ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  '
      return [`${stem}${text}`, ...rest]
    })
  })
  return [matches === undefined ? [label] : [label, matches], ...below]
}

/** A query, with the error marked and described under it. */
function pointedAt(text: string, { position, end, message, hint }: QueryError): string {
  const characters = Array.from(text.replace(/\s/g, ' '))
  const before = characters.slice(0, position - 1).join('')
  const marked = characters.slice(position - 1, end - 1).join('')
  const line = characters.join('')
  const caret = `${' '.repeat(widthOf(before))}${'^'.repeat(Math.max(1, widthOf(marked)))}`
  return [`  ${line}`, `  ${caret}`, message, ...(hint === undefined ? [] : [hint])].join('\n')
}

/** The number of terminal columns that a text takes: two for each wide character. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (/\p{Mn}|\p{Cf}/u.test(character)) continue
    width += WIDE.test(character) ? 2 : 1
  }
  return width
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
