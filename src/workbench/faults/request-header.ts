import { FaultInvalid } from './check.ts'
import { FAULT_KINDS, type FaultKind, type FaultSettings } from './settings.ts'

/** The neutral name of the header that fails one request. */
export const FAULT_HEADER = 'plaza-fault'
const MAX_LENGTH = 500

const NUMBERS = new Set(['status', 'bytes', 'bytes_per_second', 'posts'])
const TEXTS = new Set(['cause', 'latency', 'after', 'reason'])
const MOST = 1_000_000_000

/**
 * The fault that a header describes: `429`, `drop`, `cause=duplicate post; latency=2s`.
 * @throws FaultInvalid
 */
export function faultOfHeader(text: string): FaultSettings {
  const wrong = (message: string) => new FaultInvalid(FAULT_HEADER, text.slice(0, MAX_LENGTH), message)
  if (text.length > MAX_LENGTH) throw wrong(`\`${FAULT_HEADER}\` must have at most ${MAX_LENGTH} characters`)
  const members: Record<string, string | number> = {}
  for (const part of text.split(';').map((one) => one.trim())) {
    const [name = '', ...values] = part.split('=')
    const value = values.join('=').trim()
    if (part === '') continue
    if (values.length === 0 && /^[0-9]{3}$/.test(part))
      Object.assign(members, { kind: 'error', status: Number(part) })
    else if (values.length === 0 && isKind(part)) members.kind = part
    else if (TEXTS.has(name.trim())) members[name.trim()] = value
    else if (NUMBERS.has(name.trim()) && /^[0-9]{1,10}$/.test(value) && Number(value) <= MOST)
      members[name.trim()] = Number(value)
    else throw wrong(`\`${FAULT_HEADER}\` has "${part}", which is no status, no kind and no value of a fault`)
  }
  const kind = members.kind ?? ('cause' in members || 'status' in members ? 'error' : 'latency')
  return { ...members, kind } as unknown as FaultSettings
}

/** Deliveries are not part of a request. */
const isKind = (text: string): text is FaultKind =>
  (FAULT_KINDS as readonly string[]).includes(text) && !text.startsWith('webhook_')
