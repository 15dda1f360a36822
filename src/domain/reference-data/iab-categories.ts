import { lookup, once, readTable } from '../../platform/common/lookup.ts'

export interface IabCategory {
  id: string
  parent_id: string | null
  name: string
}

/**
 * The content taxonomy 1.0: each top category followed by its children, which are numbered by
 * position.
 */
export const iabCategories = once((): readonly IabCategory[] =>
  readTable(new URL('iab-categories.tsv', import.meta.url)).flatMap(([name = '', ...children], at) => {
    const id = `IAB${at + 1}`
    return [
      { id, parent_id: null, name },
      ...children.map((child, n) => ({ id: `${id}-${n + 1}`, parent_id: id, name: child })),
    ]
  }),
)

export const iabCategoryById = lookup(iabCategories, (category) => category.id)

export function isIabCategory(id: string): boolean {
  return iabCategoryById(id) !== undefined
}

/**
 * Ids in the short form of the category tables: `IAB4 IAB9-{1..6,8}` is IAB4, IAB9-1 to IAB9-6 and
 * IAB9-8.
 */
export function expandIab(short: string): readonly string[] {
  return short.split(' ').flatMap((word) => {
    const [, tier = '', ranges] = /^(IAB\d+)(?:-\{([\d.,]+)\})?$/.exec(word) ?? []
    if (tier === '') throw new Error(`not an IAB category: ${word}`)
    return ranges === undefined ? [tier] : numbers(ranges).map((n) => `${tier}-${n}`)
  })
}

function numbers(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('..').map(Number)
    return Array.from({ length: last - first + 1 }, (_, n) => first + n)
  })
}
