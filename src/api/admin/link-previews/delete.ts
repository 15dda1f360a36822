import { Type } from 'typebox'
import { linkKey } from '../../../domain/link-previews/members.ts'
import { removeLinkPreview } from '../../../domain/link-previews/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { pageUrl } from './preview.ts'

/** DELETE /admin/v1/link_previews: removes the preview of a web page. */
export const deleteLinkPreview = dataEndpoint({
  ...ADMIN,
  id: 'deleteLinkPreview',
  method: 'DELETE',
  path: '/admin/v1/link_previews',
  summary: 'Remove the preview of a web page',
  description: 'Removes a stored preview. Posts that were written with it keep it.',
  query: { url: pageUrl },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { reply: { data: { deleted: true } } },
  async handle({ query: { url } }, { store }) {
    const removed = await store.write((tx) => tx.run(removeLinkPreview, { url: linkKey(url) ?? '' }))
    if (removed === 0) throw new NotThere(`There is no preview of ${url}.`)
    return json({ data: { deleted: true } })
  },
})
