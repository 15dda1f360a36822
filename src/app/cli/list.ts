import type { Flags } from './command.ts'

interface Shape<Item> {
  /** The name of the items, in the plural: `dead letters`. */
  of: string
  asData(item: Item): object
  asText(item: Item): string
}

/**
 * Prints the items of a list: one JSON object per line, or text. If a list printed as text is
 * empty, says so on standard error.
 */
export async function printList<Item>(
  flags: Flags,
  items: AsyncIterable<Item> | Iterable<Item>,
  { of, asData, asText }: Shape<Item>,
): Promise<void> {
  const asJson = flags.on('json')
  let isEmpty = true
  for await (const item of items) {
    isEmpty = false
    console.log(asJson ? JSON.stringify(asData(item)) : asText(item))
  }
  if (isEmpty && !asJson) console.error(`There are no ${of}.`)
}
