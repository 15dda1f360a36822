/** What the passed exchanges have covered, for the checks that nothing is omitted. */
export class Seen {
  /** Calls that succeeded: a method and a path without the host. */
  readonly calls: { method: string; path: string }[] = []
  /** Errors of any form: `401 89`, `404 CAMPAIGN_NOT_FOUND`, `403 oauth1-permissions`. */
  readonly errors = new Set<string>()
  /** Headers that a literal was compared with. */
  readonly headers = new Set<string>()

  /** As a text, from which `of` makes the same. */
  text(): string {
    const { calls, errors, headers } = this
    return JSON.stringify({ calls, errors: [...errors], headers: [...headers] })
  }

  /** What several have covered together. */
  static of(texts: readonly string[]): Seen {
    const all = new Seen()
    for (const text of texts) {
      const { calls, errors, headers } = JSON.parse(text) as Record<'errors' | 'headers', string[]> & {
        calls: Seen['calls']
      }
      all.calls.push(...calls)
      for (const error of errors) all.errors.add(error)
      for (const header of headers) all.headers.add(header)
    }
    return all
  }

  /** Records the errors of a reply, at any depth. */
  error(status: number, body: unknown): void {
    if (Array.isArray(body)) for (const one of body) this.error(status, one)
    if (typeof body !== 'object' || body === null) return
    const { code, type } = body as { code?: unknown; type?: unknown }
    const { errors, operation_errors } = body as { errors?: unknown; operation_errors?: unknown }
    if (typeof code === 'number' || typeof code === 'string') this.errors.add(`${status} ${code}`)
    if (typeof type === 'string') this.errors.add(`${status} ${type.split('/').at(-1)}`)
    this.error(status, errors)
    this.error(status, operation_errors)
  }
}
