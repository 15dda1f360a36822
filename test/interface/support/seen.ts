/** What the passed exchanges have covered, for the checks that nothing is omitted. */
export class Seen {
  /** Calls that succeeded: a method and a path without the host. */
  readonly calls: { method: string; path: string }[] = []
  /** Errors of any form: `401 89`, `404 CAMPAIGN_NOT_FOUND`, `403 oauth1-permissions`. */
  readonly errors = new Set<string>()
  /** Headers that a literal was compared with. */
  readonly headers = new Set<string>()

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
