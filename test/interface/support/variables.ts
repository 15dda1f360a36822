/** The values of `{name}` in literals: addresses, identities, and values from earlier replies. */
export type Variables = Record<string, unknown>

/**
 * Inserts the values of variables into a text.
 * @throws Error A variable is not set, because the exchange that sets it failed or was skipped.
 */
export const resolve = (template: string, variables: Variables): string =>
  template.replace(/\{([a-z_0-9]+)\}/g, (_, name: string) => String(known(name, variables)))

/** The same for a JSON value. A text that consists of one variable gets the type of its value. */
export function resolveValue(template: string, variables: Variables): unknown {
  const [, only] = /^\{([a-z_0-9]+)\}$/.exec(template) ?? []
  return only === undefined ? resolve(template, variables) : known(only, variables)
}

function known(name: string, variables: Variables): unknown {
  const value = variables[name]
  if (value === undefined) throw new Error(`{${name}} is not known: no earlier exchange kept it`)
  return value
}

/** Inserts the values of variables into every text of a JSON value. */
export function resolveAll<Value>(value: Value, variables: Variables): Value {
  if (typeof value === 'string') return resolveValue(value, variables) as Value
  if (Array.isArray(value)) return value.map((one) => resolveAll(one, variables)) as Value
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolveAll(one, variables)]),
  ) as Value
}
