import { isoTime } from '../../platform/common/time.ts'
import { type ClockState, UNADJUSTED } from '../clock/adjustable-clock.ts'
import { CLOCK_SETTING, stateOf } from '../clock/clock-control.ts'

/**
 * The setting of a restored store with the last id that was made before its snapshot was saved. New
 * ids are greater: the clock may show the same time as when that one was made.
 */
export const LAST_ID_SETTING = 'last_id'

/** The version of the files of a snapshot. */
export const FORMAT = 1

/** What a snapshot is. In its folder and in exported files, it is `manifest.json`. */
export interface Manifest {
  readonly format: number
  readonly name: string
  /** When it was saved, on the machine's clock and on the clock that users saw. ISO 8601. */
  readonly saved_at: string
  readonly clock: {
    readonly now: string
    readonly frozen: boolean
    /** False if users saw the machine's time. */
    readonly adjusted: boolean
  }
  /** The last id that was made; absent if none was. */
  readonly last_id?: string
  /** The bytes of its files. Files that it shares with the data count, too. */
  readonly bytes: number
}

export function manifestOf(
  name: string,
  {
    state,
    shownMs,
    machineMs,
    lastId,
  }: { state: ClockState; shownMs: number; machineMs: number; lastId: string | undefined },
): Manifest {
  const frozen = state.frozenAtMs !== undefined
  return {
    format: FORMAT,
    name,
    saved_at: isoTime(machineMs),
    clock: { now: isoTime(shownMs), frozen, adjusted: frozen || state.offsetMs !== 0 },
    ...(lastId !== undefined && { last_id: lastId }),
    bytes: 0,
  }
}

/**
 * The settings of a store that is restored now: its clock shows the time of the snapshot again,
 * unless that was the machine's, and its ids go on after those of the snapshot.
 */
export function settingsOf({ clock, last_id }: Manifest, machineMs: number): Record<string, string> {
  const state = clock.adjusted ? stateOf(Date.parse(clock.now), clock.frozen, machineMs) : UNADJUSTED
  return {
    [CLOCK_SETTING]: JSON.stringify(state),
    ...(last_id !== undefined && { [LAST_ID_SETTING]: last_id }),
  }
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Whether a text can be the name of a snapshot: also of a folder, on every system. */
export const isSnapshotName = (text: string): boolean => NAME.test(text)

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const ID = /^[0-9]{1,19}$/

/** Reads a manifest; undefined if it is not one of this version. */
export function readManifest(text: string): Manifest | undefined {
  let read: Partial<Manifest> | null
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  const { format, name, saved_at, clock, last_id, bytes } = read ?? {}
  const isValid =
    format === FORMAT &&
    typeof name === 'string' &&
    isTime(saved_at) &&
    isTime(clock?.now) &&
    typeof clock?.frozen === 'boolean' &&
    typeof clock.adjusted === 'boolean' &&
    (last_id === undefined || (typeof last_id === 'string' && ID.test(last_id))) &&
    typeof bytes === 'number' &&
    bytes >= 0
  return isValid ? (read as Manifest) : undefined
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && TIME.test(value) && Number.isFinite(Date.parse(value))
