import { type TObject, type TProperties, Type } from 'typebox'
import { RawJson, type StreamedJson } from '../../http/reply.ts'
import { type JsonReply, json } from '../../http/reply-kinds.ts'
import { component, nullable, plain } from '../../http/schema.ts'

/** The result of a handler of an advertising endpoint, without the envelope. */
export interface AdsResult<Data> {
  data: Data | RawJson
  next_cursor?: string | null
  total_count?: number
  data_type?: string
  time_series_length?: number
  /** Headers of the reply, by their neutral names. */
  headers?: Readonly<Record<string, string>>
  /** The parts of `data` that are read while it is sent, in their order. */
  streamed?: readonly StreamedJson[]
}

/** Members of a reply besides `data`. */
export type EnvelopeMember = 'cursor' | 'optional cursor' | 'total' | 'optional total' | 'type' | 'series'

/**
 * Puts the result of a handler into the envelope. `echo`: the parsed parameters as JSON text;
 * `member`: the name of the data member.
 */
export function wrap<Data>(
  { request, data, headers, streamed, ...beside }: AdsResult<Data> & { request?: RawJson },
  { echo, member }: { echo: string; member: string },
): JsonReply<object> {
  const value = { request: request ?? new RawJson(`{"params":${echo}}`), ...beside, [member]: data }
  return json(value, undefined, headers, streamed)
}

const open = Type.Object({}, { description: 'The parameters as Plaza parsed them.' })

const echo = component('RequestEcho', Type.Object({ params: open }, { additionalProperties: false }))

const batchEcho = component(
  'OperationEcho',
  Type.Object({ operation_type: Type.String(), params: open }, { additionalProperties: false }),
)

/**
 * The name of a reply in the documents, after its data: `LineItemReply` contains one item,
 * `LineItemList` a page, `LineItemBatch` the results of operations, `LineItemResults` all existing
 * or all created items.
 */
function replyName(
  data: TProperties,
  beside: readonly EnvelopeMember[],
  requests: boolean,
): string | undefined {
  const [schema] = Object.values(data).map(plain)
  const isEither = beside.includes('optional cursor')
  const isTyped = beside.includes('type')
  const suffix = isEither ? 'Written' : isTyped ? 'TypedReply' : 'Reply'
  if (schema?.component) return schema.component.name + suffix
  const item = schema?.items?.component
  if (!item) return undefined
  if (requests) return `${item.name}Batch`
  return item.name + (beside.includes('cursor') ? 'List' : 'Results')
}

/** The schema of a reply. */
export function envelope(data: TProperties, beside: readonly EnvelopeMember[], requests: boolean): TObject {
  const name = replyName(data, beside, requests)
  const whole = Type.Object(
    {
      request: requests ? Type.Array(batchEcho) : echo,
      ...(beside.includes('cursor') && {
        next_cursor: nullable(
          Type.String({ description: 'Cursor of the next page; null on the last page.' }),
        ),
      }),
      ...(beside.includes('optional cursor') && {
        next_cursor: Type.Optional(nullable(Type.String({ description: 'Present if the reply is a list.' }))),
      }),
      ...(beside.includes('total') && { total_count: Type.Integer({ minimum: 0 }) }),
      ...(beside.includes('optional total') && {
        total_count: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Number of all items; present with `with_total_count`.' }),
        ),
      }),
      ...(beside.includes('type') && { data_type: Type.String() }),
      ...(beside.includes('series') && {
        time_series_length: Type.Integer({
          minimum: 1,
          description: 'Number of periods: the length of each list of numbers.',
        }),
      }),
      ...data,
    },
    { additionalProperties: false },
  )
  return name === undefined ? whole : component(name, whole)
}
