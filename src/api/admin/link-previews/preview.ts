import { type Static, Type } from 'typebox'
import { PREVIEW_MEMBERS } from '../../../domain/link-previews/members.ts'
import type { LinkPreviewRow } from '../../../domain/link-previews/tables.ts'
import { component, webAddress } from '../../../platform/http/schema.ts'

/** The URL of a page in a query. */
export const pageUrl = webAddress('URL of the page.')

/** A preview in replies of the admin API. */
export const AdminLinkPreview = component(
  'AdminLinkPreview',
  Type.Object(
    { url: Type.String({ description: 'URL of the page, without a fragment.' }), ...PREVIEW_MEMBERS },
    { additionalProperties: false },
  ),
)

export const presentPreview = ({ url, preview }: LinkPreviewRow): Static<typeof AdminLinkPreview> => ({
  url,
  ...JSON.parse(preview),
})

export const EXAMPLE: Static<typeof AdminLinkPreview> = {
  url: 'https://news.example/bridge',
  title: 'The bridge is open',
  status: 200,
}
