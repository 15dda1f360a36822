import { type Document, operationsOf } from './document.ts'
import { type BodyKind, shapeOf } from './shape.ts'

const WORDS: Record<Exclude<BodyKind, 'none'>, string> = {
  members: 'json',
  whole: 'body',
  form: 'form',
  multipart: 'multipart',
}

/** The operations of a document as the client reads them (`src/client/operation.ts`). */
export function operationTable(name: string, type: string, document: Document): string {
  const lines = operationsOf(document).map((operation) => {
    const { body, query, pageParameter, backfillParameter } = shapeOf(document, operation)
    const words = [
      operation.method,
      operation.path,
      ...(body === 'none' ? [] : [WORDS[body] + (query.length > 0 ? `:${query}` : '')]),
      ...(pageParameter === undefined ? [] : [`page:${pageParameter}`]),
      ...(operation['x-stream'] ? [`stream:${backfillParameter ?? ''}`] : []),
    ]
    return `  ${operation.operationId}: '${words.join(' ')}',`
  })
  return `export const ${name} = {\n${lines.join('\n')}\n} satisfies Record<keyof ${type}, string>\n`
}
