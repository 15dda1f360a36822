/** A time as replies show it: RFC 3339 UTC with milliseconds. */
export const isoTime = (ms: number) => new Date(ms).toISOString()
