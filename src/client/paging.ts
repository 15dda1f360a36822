interface Page {
  meta?: { next_token?: string }
  next_cursor?: string | null
  data?: readonly unknown[]
}

type Call = (params: object, options?: object) => Promise<unknown>

/** Every page of a list. `parameter` names the one that continues it. */
export async function* pagesOf(
  call: Call,
  parameter: string,
  params: object,
  options?: object,
): AsyncGenerator<unknown, undefined, undefined> {
  let next = {}
  for (;;) {
    const page = (await call({ ...params, ...next }, options)) as Page
    yield page
    const token = page.meta?.next_token ?? page.next_cursor
    if (!token) return undefined
    next = { [parameter]: token }
  }
}

/** The items of every page. */
export async function* itemsOf(pages: AsyncIterable<unknown>): AsyncGenerator<unknown, undefined, undefined> {
  for await (const page of pages) yield* (page as Page).data ?? []
  return undefined
}
