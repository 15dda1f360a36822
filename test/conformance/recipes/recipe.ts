import type { AuthKind } from '../../../src/auth/principal.ts'
import type { Pair } from '../../../src/http/input/form.ts'
import type { Guest, Pen, World } from '../world.ts'

/** A call that succeeds, in neutral names. */
export interface GoodCall {
  params?: Record<string, string>
  query?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  headers?: readonly Pair[]
  /** Signs in place of the caller's own token. */
  pen?: Pen
}

/** Makes what a call needs, again each time, and says how to call. */
export type Recipe = (world: World, caller: { kind: AuthKind; user: Guest }) => Promise<GoodCall>
