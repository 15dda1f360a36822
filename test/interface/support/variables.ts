/** What literals write as `{name}`: addresses, identities, and what earlier replies said. */
export type Variables = Record<string, unknown>

/**
 * Puts the values of variables into a text.
 * @throws Error when a variable is not there, because the exchange that keeps it failed or was omitted
 */
export const resolve = (template: string, variables: Variables): string =>
  template.replace(/\{([a-z_0-9]+)\}/g, (_, name: string) => String(known(name, variables)))

/** The same for a value of JSON: a text that is nothing but a variable has the type of its value. */
export function resolveValue(template: string, variables: Variables): unknown {
  const [, only] = /^\{([a-z_0-9]+)\}$/.exec(template) ?? []
  return only === undefined ? resolve(template, variables) : known(only, variables)
}

function known(name: string, variables: Variables): unknown {
  const value = variables[name]
  if (value === undefined) throw new Error(`{${name}} is not known: no earlier exchange kept it`)
  return value
}

/** Puts the values of variables into every text of a JSON value. */
export function resolveAll<Value>(value: Value, variables: Variables): Value {
  if (typeof value === 'string') return resolveValue(value, variables) as Value
  if (Array.isArray(value)) return value.map((one) => resolveAll(one, variables)) as Value
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolveAll(one, variables)]),
  ) as Value
}
