import { type JsonFile, pointerOf, readJsonFile } from '../common/json-file.ts'
import { type LimitRules, parseLimit } from '../http/limits.ts'
import { parseAllowList } from '../outbound/address.ts'

// Parsers of settings. Each throws an error that says which values are valid.

export const plainText = (text: string) => text

export function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = Number(text)
    if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return value
  }
}

/** An integer, or `off` for no limit, which is infinity. */
export function limitOrOff(min: number, max: number) {
  return (text: string) => {
    if (text === 'off' || text === String(Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
    const value = Number(text)
    if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}, or off`)
    return value
  }
}

export const port = wholeNumber(0, 65_535)

/** Without brackets, as `listen` takes it: `127.0.0.1`, `::1`, `localhost`. */
export const address = pattern(/^[\w.:%-]+$/, 'an IP address or a host name, for example 127.0.0.1 or ::1')

/** `0.0.0.0:8441`, `[::]:8441`. */
export function addressAndPort(text: string): { address: string; port: number } {
  const [, inBrackets, plain, digits = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):([0-9]{1,5})$/.exec(text) ?? []
  const address = inBrackets ?? plain
  if (address === undefined || Number(digits) > 65_535)
    throw new Error('must be an address and a port, for example 0.0.0.0:8441 or [::]:8441')
  return { address, port: Number(digits) }
}

export function yesOrNo(text: string): boolean {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new Error('must be true or false')
}

export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return (text: string): Values[number] => {
    if (!values.includes(text)) throw new Error(`must be one of ${values.join(', ')}`)
    return text as Values[number]
  }
}

export function pattern(expression: RegExp, what: string) {
  return (text: string) => {
    if (!expression.test(text)) throw new Error(`must be ${what}`)
    return text
  }
}

export function urlOf(...protocols: string[]) {
  return (text: string) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !protocols.includes(url.protocol))
      throw new Error(
        `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      )
    return text
  }
}

/** `https://api.example.com`, without a path: the beginning of a signature's base string. */
export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new Error('must be an https URL without a path, for example https://api.example.com')
  }
  return url.origin
}

/** `s3://bucket` or `s3://bucket/a/prefix`. */
export const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(\w[\w.-]*(?:\/\w[\w.-]*)*)?)?$/

export function folderOrBucket(text: string): string {
  if (text.startsWith('s3://') && !BUCKET.test(text))
    throw new Error('must be a folder, or a bucket such as s3://bucket or s3://bucket/prefix')
  return text
}

export function list(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}

export function addressRanges(text: string): readonly string[] {
  const ranges = list(text)
  parseAllowList(ranges)
  return ranges
}

function rateLimitsOf(path: string): LimitRules {
  const { content, file } = readSettingsFile(path)
  return limitRulesIn(content, (id, what) => `names ${file.error(pointerOf(id), what).message}`)
}

/** The rate limits in the content of a file. Throws the sentence about a wrong entry. */
export function limitRulesIn(
  content: object,
  sentence: (id: string, what: string) => string = (id, what) => `at ${pointerOf(id)}: ${what}`,
): LimitRules {
  for (const [id, pools] of Object.entries(content)) {
    const wrong = (what: string) => new Error(sentence(id, what))
    if (typeof pools !== 'object' || pools === null || Array.isArray(pools))
      throw wrong('must hold an object of limits by pool')
    for (const limit of Object.values(pools)) {
      if (limit === 'off') continue
      try {
        parseLimit(String(limit))
      } catch (error) {
        throw wrong((error as Error).message)
      }
    }
  }
  return content as LimitRules
}

/** A file that contains one JSON object. */
export function readSettingsFile(path: string): { content: Record<string, unknown>; file: JsonFile } {
  const file = readJsonFile(path)
  const { value } = file
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw file.error('', 'must hold a JSON object')
  return { content: value as Record<string, unknown>, file }
}

export function limitRules(text: string): LimitRules {
  if (text === 'off' || text === 'documented') return text
  return rateLimitsOf(text)
}
