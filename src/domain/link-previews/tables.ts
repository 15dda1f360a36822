import { bytewise, type RowOf, table, text } from '../../platform/storage/table.ts'

/** What a web page says about itself, as it was given: Plaza reads no pages. */
export const linkPreviews = table(
  'link_previews',
  {
    /** In the form of `linkKey`. */
    url: bytewise(),
    /** JSON: `LinkPreview` in `src/platform/text/entities.ts`. */
    preview: text(),
  },
  { key: ['url'] },
)

export type LinkPreviewRow = RowOf<typeof linkPreviews>
