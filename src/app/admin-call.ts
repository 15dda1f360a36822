import { callWhole } from './admin-client.ts'
import type { AdminPath } from './admin-path.ts'
import type { AdminTarget } from './admin-target.ts'
import type { AdminCalls } from './admin-types.ts'

/** A call of the admin API: `PUT /users/{user}`. */
export type AdminRoute = keyof AdminCalls

/** Values of an enumeration may be any text: the API says which there are. */
type Loose<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Loose<Value[Name]> }
      : Value

export type Given<Route extends AdminRoute> = Loose<AdminCalls[Route]['given']>
/** Nothing needs to be given where nothing is required. */
export type CallArguments<Route extends AdminRoute> =
  Record<never, never> extends Given<Route> ? [given?: Given<Route>] : [given: Given<Route>]

interface Parts {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/**
 * Calls the admin API. What may be given and what the reply has are those of its document.
 * @throws AdminError
 */
export async function adminCall<Route extends AdminRoute>(
  target: AdminTarget,
  route: Route,
  ...[given]: CallArguments<Route>
): Promise<AdminCalls[Route]['reply']> {
  const [method, template = ''] = route.split(' ')
  const { path = {}, query = {}, body }: Parts = given ?? {}
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const at = search.size === 0 ? filled : `${filled}?${search}`
  return (await callWhole(target, method as 'GET', at as AdminPath, body)) as AdminCalls[Route]['reply']
}
