import { ALIASES, OPERATORS } from './operators.ts'
import { HAS_VALUES, IS_VALUES } from './query.ts'

/** The names of operators and their values, as clients write them. */
export interface QueryNames {
  /** The neutral name for a name that a client wrote, in lower case. */
  own(written: string): string
  /** What clients write for a neutral name. */
  shown(own: string): string
}

/** Every name that may occur in a query. */
export const queryIdentifiers: readonly string[] = [
  ...OPERATORS.keys(),
  ...ALIASES.keys(),
  'is',
  'has',
  ...IS_VALUES,
  ...HAS_VALUES,
  'media_link',
  'videos',
  'symbols',
]

/** How clients spell a name: the first spelling is shown. */
export type SpellingsOf = (identifier: string) => readonly string[]

/** Names under a vocabulary. Neutral names are understood too, unless they mean something else. */
export function queryNames(spellings: SpellingsOf): QueryNames {
  const shown = new Map(queryIdentifiers.map((own) => [own, spellings(own)[0] ?? own]))
  const own = new Map(
    queryIdentifiers.flatMap((ours) => spellings(ours).map((spelling) => [spelling.toLowerCase(), ours])),
  )
  return {
    own: (written) => own.get(written) ?? written,
    shown: (ours) => shown.get(ours) ?? ours,
  }
}

export const NEUTRAL_NAMES: QueryNames = { own: (written) => written, shown: (own) => own }
