import { isBlank } from '../../platform/common/visible.ts'
import type { Query } from '../../platform/storage/query.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Flags } from './command.ts'
import { UsageError } from './command.ts'

const PAGE = 200

/** The rows of a table, page by page, so that a large table is never in memory as a whole. */
export async function* pages<Row extends { id: string }>(
  store: Store,
  query: Query<{ after: string; limit: number }, Row>,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await store.all(query, { after, limit: PAGE })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}

/** An id of a post, note or other object in decimal digits. */
export function decimalId(text = ''): string {
  if (!/^[0-9]{1,19}$/.test(text)) throw new UsageError(`"${text}" is not an id`)
  return text
}

/** A required flag whose value is shown to users. */
export function shortText(flags: Flags, flag: string, maxLength: number): string {
  const text = flags.required(flag)
  if (text.length > maxLength || /\p{Cc}/u.test(text) || !text.isWellFormed())
    throw new UsageError(
      `--${flag} must be at most ${maxLength} characters, none of them a control character`,
    )
  if (isBlank(text)) throw new UsageError(`--${flag} must have a visible character`)
  return text
}

/** Values separated by commas, each one of a fixed set. */
export function someOf<const Values extends readonly string[]>(
  text: string,
  values: Values,
  what: string,
): Values[number][] {
  const words = text.split(',').map((one) => one.trim())
  const wrong = words.find((one) => !values.includes(one))
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is no ${what}; there are ${values.join(', ')}`)
  return [...new Set(words)]
}

/** A flag whose value is a number of seconds. */
export function secondsOf(flags: Flags, flag: string, fallback: number): number {
  const text = flags.text(flag)
  if (text === undefined) return fallback
  if (!/^[1-9][0-9]{0,4}$/.test(text))
    throw new UsageError(`--${flag} must be a whole number of seconds from 1 to 99999, not "${text}"`)
  return Number(text)
}
