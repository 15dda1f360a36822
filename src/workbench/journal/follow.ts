import { type Clock, systemClock } from '../../platform/common/clock.ts'
import type { Sink } from '../../platform/http/streams.ts'
import { summaryOf } from './entry.ts'
import { type JournalFilter, matcherOf, waitForEntry } from './filter.ts'
import type { Journal, JournalRecord } from './journal.ts'

const HEARTBEAT_MS = 20_000

/** Sends new entries that match, until the signal is aborted. A slow reader misses entries. */
export async function followEntries(
  journal: Journal,
  filter: JournalFilter,
  sink: Sink<{ data: ReturnType<typeof summaryOf> }>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  const matches = matcherOf(filter)
  const lost = new AbortController()
  const give = (sent: Promise<void>) => sent.catch(() => lost.abort())
  const stop = journal.watch((record) => {
    if (sink.canWrite && matches(record)) void give(sink.send({ data: summaryOf(record) }))
  })
  const ended = AbortSignal.any([signal, lost.signal])
  try {
    while (await clock.at(clock.now() + HEARTBEAT_MS, ended)) {
      if (sink.canWrite) await give(sink.write('\r\n'))
    }
  } finally {
    stop()
  }
}

/** Waits for an entry at most so long, in real time; undefined if there is none until then. */
export async function waitAtMost(
  journal: Journal,
  filter: JournalFilter,
  timeoutMs: number,
  clock: Clock = systemClock,
): Promise<JournalRecord | undefined> {
  const found = new AbortController()
  const timedOut = new AbortController()
  void clock.at(clock.now() + timeoutMs, found.signal).then(() => timedOut.abort())
  try {
    return await waitForEntry(journal, filter, AbortSignal.any([timedOut.signal, journal.closed]))
  } finally {
    found.abort()
  }
}
