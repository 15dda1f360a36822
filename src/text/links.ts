/** An address with a scheme: one that is written without leads there without TLS. */
export const addressOf = (written: string) => (/^https?:/i.test(written) ? written : `http://${written}`)

const MAX_SHOWN = 27

/** An address as people see it: without scheme and `www.`, cut where it gets long. */
export function shownLink(url: string): string {
  const shown = url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown
}
