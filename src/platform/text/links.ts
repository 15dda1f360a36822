import { truncated } from '../common/cut-text.ts'

/** A URL with a scheme. One that is written without a scheme gets http. */
export const addressOf = (written: string) => (/^https?:/i.test(written) ? written : `http://${written}`)

const MAX_SHOWN = 27

const BEFORE_HOST = /^(?:https?:\/\/(?:www\.)?)?/i

/** A URL for display: without scheme and `www.`, truncated if it is long. */
export function shownLink(url: string): string {
  const start = BEFORE_HOST.exec(url)?.[0].length ?? 0
  const shown = url.slice(start, url.endsWith('/') ? -1 : undefined)
  return truncated(shown, MAX_SHOWN)
}
