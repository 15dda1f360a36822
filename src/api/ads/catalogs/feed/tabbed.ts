import { FeedError, type FeedItem, fieldNamed } from './item.ts'
import { recordsOf } from './records.ts'

/**
 * The products of tab-separated text, or of text with another delimiter. The first record has the
 * names of the columns; unknown columns are ignored.
 */
export async function* tabbedItems(
  chunks: AsyncIterable<string>,
  delimiter = '\t',
): AsyncGenerator<FeedItem> {
  let columns: (string | undefined)[] | undefined
  for await (const { cells, line } of recordsOf(chunks, delimiter)) {
    if (cells.every((cell) => cell.trim() === '')) continue
    if (!columns) {
      columns = cells.map(fieldNamed)
      if (!columns.includes('id')) throw new FeedError(`line ${line} must name the columns, one of them "id"`)
      continue
    }
    const item: FeedItem = { line, fields: {} }
    if (cells.length > columns.length)
      item.problem = `has ${cells.length} cells for ${columns.length} columns`
    for (const [index, name] of columns.entries())
      if (name !== undefined) item.fields[name] = cells[index] ?? ''
    yield item
  }
}

/** The delimiter of a table, from its header. Spreadsheets of some languages write semicolons. */
export function delimiterOf(text: string, format: 'tsv' | 'csv' | undefined): '\t' | ',' | ';' {
  const [header = ''] = text.split('\n', 1)
  const count = (delimiter: string) => header.split(delimiter).length
  if (format === 'tsv' || (format === undefined && header.includes('\t'))) return '\t'
  if (format === undefined && !/[,;]/.test(header)) return '\t'
  return count(';') > count(',') ? ';' : ','
}
