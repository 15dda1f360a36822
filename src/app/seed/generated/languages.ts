import { lookup, once, readTable } from '../../../platform/common/lookup.ts'

/**
 * The texts of generated users in a language. All languages have the same topics in the same order.
 */
export interface Language {
  /** The code in posts. */
  code: string
  /** The share of the authors of generated posts who write it; 0 if it has no texts for them. */
  share: number
  /** ISO 3166-1 alpha-2: where those authors live. */
  countries: readonly string[]
  /** First names. */
  names: readonly string[]
  topics: readonly string[]
  qualities: readonly string[]
  times: readonly string[]
  /** `{t}`, `{u}`: topics; `{q}`: a quality; `{w}`: a time; `{n}`: the name of something. */
  posts: readonly string[]
  replies: readonly string[]
  /** Of the population, like the posts below. */
  lastNames: readonly string[]
  /** `{}` is a topic. Each contains common words of the language, by which it is detected. */
  plainPosts: readonly string[]
}

export const languages = once((): readonly Language[] => {
  const rows = readTable(new URL('generated-languages.tsv', import.meta.url))
  return [...Map.groupBy(rows, ([code = '']) => code)].map(([code, own]) => {
    const fields = new Map(own.map(([, field, ...values]) => [field, values]))
    const valuesOf = (field: keyof Language) => fields.get(field) ?? []
    return {
      code,
      share: Number(valuesOf('share')[0] ?? 0),
      countries: valuesOf('countries'),
      names: valuesOf('names'),
      topics: valuesOf('topics'),
      qualities: valuesOf('qualities'),
      times: valuesOf('times'),
      posts: valuesOf('posts'),
      replies: valuesOf('replies'),
      lastNames: valuesOf('lastNames'),
      plainPosts: valuesOf('plainPosts'),
    }
  })
})

export const languageByCode = lookup(languages, ({ code }) => code)

/** Where users of the population live. */
export interface Country {
  share: number
  language: Language
  /**
   * What profiles say, from which estimates derive a place. The name of the country stands for the
   * country.
   */
  name: string
  towns: readonly string[]
}

export const countries = once((): readonly Country[] =>
  readTable(new URL('generated-countries.tsv', import.meta.url)).map(
    ([share, code = '', name = '', ...towns]) => {
      const language = languageByCode(code)
      if (!language) throw new Error(`generated-countries.tsv: ${name} has no language`)
      return { share: Number(share), language, name, towns }
    },
  ),
)
