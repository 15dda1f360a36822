import type { AdminCalls } from './admin-types.ts'

type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path

type PathIn<Route> = Route extends `${string} ${infer Path}` ? Filled<Path> : never

/** A path of the admin API, whose parameters are filled in, perhaps with a query. */
export type AdminPath = PathIn<keyof AdminCalls> | `${PathIn<keyof AdminCalls>}?${string}`
