import { msg } from '../../../platform/http/message.ts'
import { invalid, type Violation } from '../../../platform/http/errors.ts'

/** Which bytes of an upload a request sends; without `bytes`, it asks which ones have arrived. */
export interface ContentRange {
  /** The first byte and the last one. */
  readonly bytes?: { readonly from: number; readonly to: number }
  /** The size of the upload; unknown until its last part if absent. */
  readonly total?: number
}

const RANGE = /^bytes (?:([0-9]{1,15})-([0-9]{1,15})|\*)\/([0-9]{1,15}|\*)$/

export const wrongHeader = (name: string, value: string, rule: string) =>
  invalid({
    ...{ place: 'header', name, value },
    fault: { kind: 'rule', explanation: msg`The header ${name}: ${value} ${rule}.` },
  } satisfies Violation)

/** The header `content-range`; undefined without one: the request sends everything. */
export function contentRangeOf(header: string | string[] | undefined): ContentRange | undefined {
  if (header === undefined) return undefined
  const text = String(header)
  const [matched, from, to, size] = RANGE.exec(text.trim()) ?? []
  if (matched === undefined) throw wrongHeader('content-range', text, 'is not bytes FROM-TO/SIZE')
  const total = size === '*' ? {} : { total: Number(size) }
  if (from === undefined) return total
  const bytes = { from: Number(from), to: Number(to) }
  const end = total.total ?? Number.POSITIVE_INFINITY
  if (bytes.from > bytes.to || bytes.to >= end)
    throw wrongHeader('content-range', text, 'must have a first byte before the last, within the size')
  return { bytes, ...total }
}
