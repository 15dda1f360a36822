import { Type } from 'typebox'
import type { Naming } from '../../../platform/http/contract.ts'
import { compileReply } from '../../../platform/http/reply.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { composeEach, type LoadObjects, readOnce } from '../../../platform/objects/compose.ts'
import type { ObjectGraph, Selection } from '../../../platform/objects/graph.ts'
import type { LoadedObjects, View } from '../../../platform/objects/shape.ts'
import type { MatchedRule } from './rule-sets.ts'

/** Posts that are written together. */
export interface PostBatch {
  readonly view: View
  /** All posts, whichever of them a format shows. */
  readonly ids: readonly string[]
}

/** How posts are shown on a stream. */
export interface PostFormat {
  /** Equal for formats with the same output. */
  readonly key: string
  /** Writes posts as JSON. Omits posts that are not shown. */
  write(ids: readonly string[], batch: PostBatch): AsyncIterable<readonly [string, string]>
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
const readBefore = new WeakMap<PostBatch, { posts: Promise<LoadedObjects>; load: LoadObjects }>()

/** Creates formats that show posts with fields and expansions. */
export function objectFormats(graph: ObjectGraph): (selection: Selection, naming: Naming) => PostFormat {
  const post = graph.shape('post')
  const reply = graph.reply('post', 'one')
  const readOf = (batch: PostBatch) => {
    const read = readBefore.get(batch) ?? {
      posts: post.load(batch.ids, batch.view),
      load: readOnce(batch.view),
    }
    readBefore.set(batch, read)
    return read
  }
  return (selection, naming) => {
    const { vocabulary } = naming
    const writePost = compileReply(reply, vocabulary)
    const writeRules = compileReply(MatchingRules, vocabulary)
    const member = JSON.stringify(vocabulary.name('matching_rules'))
    return {
      key: selection.key,
      async *write(ids, batch) {
        const { posts, load } = readOf(batch)
        const main = { loaded: await posts, keys: ids }
        const parts = { graph, selection, view: batch.view, naming, load }
        for await (const [key, { data, ...beside }] of composeEach(main, parts))
          yield [key, writePost({ data: data[0], ...beside })]
      },
      line: (json, rules) => `${json.slice(0, -1)},${member}:${writeRules(rules)}}`,
    }
  }
}
