import { Type } from 'typebox'
import type { Naming } from '../../../platform/http/contract.ts'
import { compileReply } from '../../../platform/http/reply.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { composeEach, type LoadObjects, readOnce } from '../../../platform/objects/compose.ts'
import type { ObjectGraph, Selection } from '../../../platform/objects/graph.ts'
import type { LoadedObjects, ObjectName, View } from '../../../platform/objects/shape.ts'
import type { MatchedRule } from './rule-sets.ts'

/** Objects that are written together. */
export interface ObjectBatch {
  readonly view: View
  /** The keys of all, whichever of them a format shows. */
  readonly ids: readonly string[]
}

/** How objects are shown on a stream. */
export interface ObjectFormat {
  /** Equal for formats with the same output. */
  readonly key: string
  /** Writes objects as JSON, by their keys. Omits those that are not shown. */
  write(ids: readonly string[], batch: ObjectBatch): AsyncIterable<readonly [string, string]>
}

/** How posts are shown on a stream with rules. */
export interface PostFormat extends ObjectFormat {
  /** The JSON of a line with a post and the rules that it matches. */
  line(post: string, rules: readonly MatchedRule[]): string
}

/** A rule that a post on a stream matches (core reference, 03 section 2.1). */
export const MatchingRules = Type.Array(
  component(
    'MatchingRule',
    Type.Object(
      {
        id: id('The rule.'),
        tag: Type.Optional(Type.String({ description: 'Name that the app gave to the rule.' })),
      },
      { additionalProperties: false },
    ),
  ),
  { description: 'Rules of the app that the post matches.' },
)

/** What the formats of a batch have read already, for reuse by the next one. */
const readBefore = new WeakMap<ObjectBatch, { objects: Promise<LoadedObjects>; load: LoadObjects }>()

/** Creates formats that show objects with fields and expansions. */
export function objectFormats(
  graph: ObjectGraph,
  of: ObjectName,
): (selection: Selection, naming: Naming) => ObjectFormat {
  const shape = graph.shape(of)
  const reply = graph.reply(of, 'one')
  const readOf = (batch: ObjectBatch) => {
    const read = readBefore.get(batch) ?? {
      objects: shape.load(batch.ids, batch.view),
      load: readOnce(batch.view),
    }
    readBefore.set(batch, read)
    return read
  }
  return (selection, naming) => {
    const write = compileReply(reply, naming.vocabulary)
    return {
      key: selection.key,
      async *write(ids, batch) {
        const { objects, load } = readOf(batch)
        const main = { loaded: await objects, keys: ids }
        const parts = { graph, selection, view: batch.view, naming, load }
        for await (const [key, { data, ...beside }] of composeEach(main, parts))
          yield [key, write({ data: data[0], ...beside })]
      },
    }
  }
}

/** The same for posts on streams with rules. */
export function postFormats(graph: ObjectGraph): (selection: Selection, naming: Naming) => PostFormat {
  const formatOf = objectFormats(graph, 'post')
  return (selection, naming) => {
    const { vocabulary } = naming
    const writeRules = compileReply(MatchingRules, vocabulary)
    const member = JSON.stringify(vocabulary.name('matching_rules'))
    return {
      ...formatOf(selection, naming),
      line: (json, rules) => `${json.slice(0, -1)},${member}:${writeRules(rules)}}`,
    }
  }
}
