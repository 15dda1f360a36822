import { Type } from 'typebox'
import { GivenPreview } from '../../../domain/link-previews/members.ts'
import { putPreview } from '../../../domain/link-previews/previews.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminLinkPreview, EXAMPLE } from './preview.ts'

/** PUT /admin/v1/link_previews: says what a web page is about. */
export const putAdminLinkPreview = dataEndpoint({
  ...ADMIN,
  id: 'putLinkPreview',
  method: 'PUT',
  path: '/admin/v1/link_previews',
  summary: 'Set the preview of a web page',
  description:
    'Stores what a page says about itself, because Plaza reads no pages. Posts that are written later show it with their links to the page, and profiles show it at once. It replaces an earlier preview. Links to public posts have previews without it.',
  body: GivenPreview,
  reply: Type.Object({ data: AdminLinkPreview }, { additionalProperties: false }),
  example: { body: EXAMPLE, reply: { data: EXAMPLE } },
  async handle({ body }, { store }) {
    const url = await store.write((tx) => putPreview(tx, body))
    if (url === undefined) throw new WrongValue('url', body.url, `${body.url} is not a URL of a page.`)
    return json({ data: { ...body, url } })
  },
})
