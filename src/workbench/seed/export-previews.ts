import { pageOfLinkPreviews } from '../../domain/link-previews/queries.ts'
import type { Store } from '../../platform/storage/store.ts'

/** A seed has so many. */
const MAX_PREVIEWS = 10_000
const PAGE = 500

/** The stored previews of web pages, by their URLs. */
export async function exportPreviews(store: Store): Promise<object[]> {
  const previews: object[] = []
  for (let after = ''; previews.length < MAX_PREVIEWS; ) {
    const limit = Math.min(PAGE, MAX_PREVIEWS - previews.length)
    const rows = await store.all(pageOfLinkPreviews, { after, limit })
    previews.push(...rows.map(({ url, preview }) => ({ url, ...(JSON.parse(preview) as object) })))
    const last = rows.at(-1)
    if (!last || rows.length < limit) break
    after = last.url
  }
  return previews
}
