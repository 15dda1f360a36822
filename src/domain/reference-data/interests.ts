import { lookup, once, readTable } from '../../platform/common/lookup.ts'

export interface InterestOption {
  /** `Top/Leaf`. */
  name: string
  targeting_type: 'INTEREST'
  /** Decimal: 1000 times the number of the top category, plus the number of the leaf. */
  targeting_value: string
}

const LEAVES_PER_TOP = 1000

export const interests = once((): readonly InterestOption[] =>
  readTable(new URL('interests.tsv', import.meta.url)).flatMap(([top = '', ...leaves], topAt) =>
    leaves.map((leaf, leafAt) => ({
      name: `${top}/${leaf}`,
      targeting_type: 'INTEREST',
      targeting_value: String((topAt + 1) * LEAVES_PER_TOP + leafAt + 1),
    })),
  ),
)

export const interestByValue = lookup(interests, (interest) => interest.targeting_value)
