/** A URL with a scheme. One that is written without a scheme gets http. */
export const addressOf = (written: string) => (/^https?:/i.test(written) ? written : `http://${written}`)

const MAX_SHOWN = 27

/** A URL for display: without scheme and `www.`, truncated if it is long. */
export function shownLink(url: string): string {
  const shown = url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown
}
