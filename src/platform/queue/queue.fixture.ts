import pino from 'pino'
import { query } from '../../app/tables.ts'
import { DONE, type Outcome } from './task.ts'

export const clearTasks = query('clearTasks', (db) => db.deleteFrom('tasks'))

/** Runs that stay in progress until they are released. */
export function heldRuns<P>() {
  const releases: (() => void)[] = []
  let isOpen = false
  const held = {
    running: [] as P[],
    most: 0,
    ended: 0,
    async run(payload: P): Promise<Outcome> {
      held.running.push(payload)
      held.most = Math.max(held.most, held.running.length - held.ended)
      if (!isOpen) await new Promise<void>((resolve) => releases.push(resolve))
      held.ended++
      return DONE
    },
    /** Releases these runs, and those that begin later. */
    releaseAll() {
      isOpen = true
      for (const release of releases.splice(0)) release()
    },
  }
  return held
}

/** A log that collects its lines. */
export function eventsOf() {
  const events: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void events.push(JSON.parse(line)) })
  return { log, events }
}
