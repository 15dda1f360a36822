import { signal } from '@preact/signals'
import { call } from './api.ts'

/** The clock, as the admin API shows it. */
export interface ClockReading {
  readonly now: string
  readonly machine_now: string
  readonly frozen: boolean
}

export interface ClockAdvance extends ClockReading {
  readonly settled: boolean
}

interface KeptReading extends ClockReading {
  /** When it was read, on the clock of the browser. */
  readonly readAt: number
}

export const clock = signal<KeptReading | undefined>(undefined)

const keep = <T extends ClockReading>(reading: T): T => {
  clock.value = { ...reading, readAt: performance.now() }
  return reading
}

export async function readClock(): Promise<ClockReading> {
  return keep((await call<{ data: ClockReading }>('GET', '/clock')).data)
}

export async function changeClock(change: { now?: string; frozen?: boolean }): Promise<ClockReading> {
  return keep((await call<{ data: ClockReading }>('PUT', '/clock', { body: change })).data)
}

export async function advanceClock(by: string): Promise<ClockAdvance> {
  return keep((await call<{ data: ClockAdvance }>('POST', '/clock/advance', { body: { by } })).data)
}

/** The time that Plaza shows now, in epoch milliseconds; undefined until it was read. */
export function plazaNow(): number | undefined {
  const reading = clock.value
  if (!reading) return undefined
  const passed = reading.frozen ? 0 : performance.now() - reading.readAt
  return Date.parse(reading.now) + passed
}
