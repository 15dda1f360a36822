import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { eventsWithin } from '../../../platform/events/log.ts'
import type { Naming } from '../../../platform/http/contract.ts'
import { compileReply } from '../../../platform/http/reply.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { ObjectFormat } from '../posts/formats.ts'
import type { VolumeSource } from '../volume/volume-streams.ts'
import { type ComplianceLine, complianceLines } from './lines.ts'

/** Events that are read together. */
const EVENTS_AT_ONCE = 500

/** What became of posts, users and likes, as the event log says it. */
export const complianceSource = (store: Store): VolumeSource<ComplianceLine> => ({
  published: (events) => complianceLines(events, store),
  async *within(span) {
    for await (const events of eventsWithin(store, span, EVENTS_AT_ONCE)) {
      yield* complianceLines(events, store)
      // There may be none among any number of events: whoever reads may have gone.
      yield []
      await nextTurn()
    }
  },
  keyOf: ({ json }) => json,
})

/** Writes lines in the names of the vocabulary. Their JSON is their key. */
export function complianceFormat(key: string, reply: TSchema, { vocabulary }: Naming): ObjectFormat {
  const write = compileReply(reply, vocabulary)
  return {
    key,
    async *write(lines) {
      for (const json of lines) yield [json, write(JSON.parse(json))]
    },
  }
}
