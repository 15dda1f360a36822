import { plain } from '../src/platform/http/schema.ts'
import { causes, words } from '../src/platform/protocols/catalogue.ts'
import { type ProblemType, problemTypes } from '../src/platform/protocols/problem/types.ts'
import { code, page, table } from './markdown.ts'

/** Every error as each API returns it, and the types of Problems. */
export const errorsPage = (): string =>
  page(
    'Errors',
    'Every error, as each API returns it: Problem Details under `/2/`, `{"errors":[{"code","message"}]}` on the OAuth paths, and the envelope of the advertising API. Browser pages have the status of the OAuth paths and describe the error in text.',
    table(['Error', 'Core', 'OAuth', 'Advertising'], causes.map(errorRow)),
    '## Problems',
    'Errors under `/2/` are Problem Details (RFC 7807), `application/problem+json`. Every Problem has `type` and `title`, and may have `detail` and `status`. `type` is `about:blank` or `{problem_base}/2/problems/<slug>`, where `{problem_base}` is the setting `--problem-base`.',
    table(
      ['Slug', 'Title', 'Meaning', 'Other members (`*`: always present)'],
      problemTypes.map((type) => [
        code(type.slug ?? 'about:blank'),
        code(type.title ?? ''),
        type.description,
        membersOf(type),
      ]),
    ),
  )

function errorRow(cause: (typeof causes)[number]): string[] {
  const { legacy, problem, ads } = words[cause]
  return [
    cause,
    `${problem.status} ${code(problem.slug ?? 'about:blank')} ${problem.title}`,
    `${legacy.status} ${code(String(legacy.code))} ${legacy.message}`,
    `${ads.status} ${code(ads.code)} ${ads.message}`,
  ]
}

const membersOf = ({ fields }: ProblemType): string =>
  Object.entries(fields)
    .map(([name, schema]) => {
      const { enum: values, type, items } = plain(schema)
      const words = values
        ? `one of ${values.map((value) => code(String(value))).join(', ')}`
        : items
          ? `list of ${items.type}`
          : type
      return `${code(name)}${'~optional' in schema ? '' : '*'}: ${words}`
    })
    .join('; ')
