import type { FeedItem } from './item.ts'
import { FeedError, fieldNamed } from './item.ts'

/** A line is held in memory. */
const MAX_LINE = 1024 * 1024

/** The products of tab-separated text. The first line has the names of the columns; unknown columns are ignored. */
export async function* tabbedItems(chunks: AsyncIterable<string>): AsyncGenerator<FeedItem> {
  let columns: (string | undefined)[] | undefined
  for await (const { text, line } of linesOf(chunks)) {
    if (text.trim() === '') continue
    const cells = text.split('\t')
    if (!columns) {
      columns = cells.map((cell) => fieldNamed(unquoted(cell)))
      if (!columns.includes('id')) throw new FeedError(`line ${line} must name the columns, one of them "id"`)
      continue
    }
    const item: FeedItem = { line, fields: {} }
    if (cells.length > columns.length)
      item.problem = `has ${cells.length} cells for ${columns.length} columns`
    for (const [index, name] of columns.entries())
      if (name !== undefined) item.fields[name] = unquoted(cells[index] ?? '')
    yield item
  }
}

/** What spreadsheets put into quotes. */
function unquoted(cell: string): string {
  return /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<{ text: string; line: number }> {
  let open = ''
  let line = 1
  for await (const chunk of chunks) {
    const parts = (open + chunk).split('\n')
    open = parts.pop() ?? ''
    for (const part of parts) yield { text: part.replace(/\r$/, ''), line: line++ }
    if (open.length > MAX_LINE) throw new FeedError(`line ${line} is longer than ${MAX_LINE} characters`)
  }
  if (open !== '') yield { text: open.replace(/\r$/, ''), line }
}
