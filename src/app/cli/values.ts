import { isBlank } from '../../platform/common/visible.ts'
import { type Flags, UsageError } from './command.ts'

/** An id of a post, note or other object in decimal digits. */
export function decimalId(text = ''): string {
  if (!/^[0-9]{1,19}$/.test(text)) throw new UsageError(`"${text}" is not an id`)
  return text
}

/** A required flag whose value is shown to users. */
export function shortText(flags: Flags, flag: string, maxLength: number): string {
  const text = flags.required(flag)
  if ([...text].length > maxLength || /\p{Cc}/u.test(text) || !text.isWellFormed())
    throw new UsageError(
      `--${flag} must be at most ${maxLength} characters, none of them a control character`,
    )
  if (isBlank(text)) throw new UsageError(`--${flag} must have a visible character`)
  return text
}

const MAX_URL_LENGTH = 2048

/** Whether the API takes a text as the URL of a page or picture. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:\/\/[^\s/]\S*$/.test(text) && text.length <= MAX_URL_LENGTH

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

/** A flag whose value is a whole number from 1. */
export function numberOf<Fallback>(
  flags: Flags,
  flag: string,
  fallback: Fallback,
  most: number,
  { kind = 'whole number', least = 1 } = {},
): number | Fallback {
  const text = flags.text(flag)
  if (text === undefined) return fallback
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : -1
  if (value < least || value > most)
    throw new UsageError(`--${flag} must be a ${kind} from ${least} to ${most}, not "${text}"`)
  return value
}

/** A flag whose value is a number of seconds. */
export const secondsOf = (flags: Flags, flag: string, fallback: number): number =>
  numberOf(flags, flag, fallback, 99_999, { kind: 'whole number of seconds' })
