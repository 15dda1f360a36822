import { Type } from 'typebox'
import { parseJson } from '../../../platform/common/exact-json.ts'
import { compileReply, RawJson, type ReplyWriter } from '../../../platform/http/reply.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { byVocabulary, type Vocabulary } from '../../../platform/http/vocabulary.ts'
import type { AccountHistoryRow } from '../accounts/tables.ts'
import { shownMembers } from '../entity/fields.ts'
import { followedEntity } from '../entity/history.ts'
import type { HistoryKind } from '../entity/history-kinds.ts'
import type { Entity } from '../entity/types.ts'

/**
 * The entity in an entry, without its id, which the entry contains, and without the ids of its
 * parents.
 */
const NOT_ITS_OWN = new Set(['id', 'account_id', 'campaign_id', 'funding_instrument_id', 'line_item_id'])

/** Former members of campaigns that the interface still shows. They are null. */
const FORMER: Readonly<Partial<Record<HistoryKind, readonly string[]>>> = {
  CAMPAIGN: ['start_time', 'end_time', 'duration_in_days', 'frequency_cap'],
}

interface Writers {
  /** The snapshot of an entity after a change. */
  data: ReplyWriter
  former: Readonly<Record<string, null>>
  /** One member as `"name":{"before":…,"after":…}`; undefined if no reply shows it. */
  change(name: string, before: unknown, after: unknown): string | undefined
}

/** Compiles how changes of an entity are rendered under a vocabulary. */
function writersOf(kind: HistoryKind, entity: Entity, vocabulary: Vocabulary): Writers {
  const { members: all } = entity
  const properties = shownMembers(all)
  const own = Object.entries(properties).filter(
    ([name]) => !NOT_ITS_OWN.has(name) && all[name]?.derived === undefined,
  )
  const former = (FORMER[kind] ?? []).filter((name) => !own.some(([known]) => known === name))
  const empty = Type.Unsafe<null>({ type: 'string', nullable: true })
  // Entries never change, so an old one may lack current members.
  const members = [...own, ...former.map((name) => [name, empty] as const)].map(
    ([name, schema]) => [name, Type.Optional(schema)] as const,
  )
  const shown = new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { name: JSON.stringify(vocabulary.name(name)), write: compileReply(schema, vocabulary) },
    ]),
  )
  const [before, after] = ['before', 'after'].map((name) => JSON.stringify(vocabulary.name(name)))
  return {
    data: compileReply(closedObject(Object.fromEntries(members)), vocabulary),
    former: Object.fromEntries(former.map((name) => [name, null])),
    change(name, from, to) {
      const member = shown.get(name)
      return member && `${member.name}:{${before}:${member.write(from)},${after}:${member.write(to)}}`
    },
  }
}

const compiled = byVocabulary((vocabulary) => {
  const known = new Map<HistoryKind, Writers>()
  return (kind: HistoryKind, entity: Entity): Writers => {
    const writers = known.get(kind) ?? writersOf(kind, entity, vocabulary)
    known.set(kind, writers)
    return writers
  }
})

/** Renders an entry of the history as JSON: what changed, and the entity after the change. */
export function writtenChange(row: AccountHistoryRow, vocabulary: Vocabulary) {
  const kind = row.entity as HistoryKind
  const entity = followedEntity(kind)
  if (!entity) throw new Error(`no entity has the history ${kind}`)
  const { data, former, change } = compiled(vocabulary)(kind, entity)
  const item = parseJson(row.item) as Record<string, unknown>
  const changes = Object.entries(parseJson(row.before) as object)
    .map(([name, before]) => change(name, before, item[name]))
    .filter((text) => text !== undefined)
  return {
    changes: new RawJson(`{${changes.join(',')}}`),
    entity_data: new RawJson(data({ ...former, ...item })),
  }
}
