/** An integer beyond 2^53 - 1, which a number would round. */
const LONG_INTEGER = /[\s:,[]-?[0-9]{16,}(?![0-9]*[.eE])/

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/** Parses JSON. Integers that a number would round are bigints. */
export function parseJson(text: string): unknown {
  return LONG_INTEGER.test(text)
    ? JSON.parse(text, exact as (key: string, value: unknown) => unknown)
    : JSON.parse(text)
}

const exact: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? '')
    ? BigInt(context?.source as string)
    : value

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Writes JSON, bigints as integers. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? rawJSON(String(one)) : one))
