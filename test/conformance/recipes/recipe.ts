import type { AuthKind } from '../../../src/identity/auth/principal.ts'
import type { Pair } from '../../../src/platform/http/input/form.ts'
import type { Guest, Pen, World } from '../world.ts'

/** A successful call, in neutral names. */
export interface GoodCall {
  params?: Record<string, string>
  query?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  headers?: readonly Pair[]
  /** Signs instead of the caller's own token. */
  pen?: Pen
}

/** Creates what a call needs, each time, and returns the call. */
export type Recipe = (world: World, caller: { kind: AuthKind; user: Guest }) => Promise<GoodCall>
