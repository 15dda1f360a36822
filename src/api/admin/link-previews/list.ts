import { Type } from 'typebox'
import { linkKey } from '../../../domain/link-previews/members.ts'
import { pageOfLinkPreviews } from '../../../domain/link-previews/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminLinkPreview, EXAMPLE, presentPreview } from './preview.ts'

/** GET /admin/v1/link_previews: the previews of web pages. */
export const listLinkPreviews = dataEndpoint({
  ...ADMIN,
  id: 'listLinkPreviews',
  method: 'GET',
  path: '/admin/v1/link_previews',
  summary: 'List the previews of web pages',
  description: 'Lists the stored previews in the order of their URLs.',
  query: {
    ...PAGE_PARAMETERS,
    pagination_token: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,3000}$', description: '`next_token` of the page before.' }),
    ),
  },
  reply: pageReply(AdminLinkPreview),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ query }, { store }) {
    const page = await readPage(query, {
      read: ({ after, limit }) => store.all(pageOfLinkPreviews, { after: urlOf(after), limit }),
      keyOf: ({ url }) => Buffer.from(url).toString('base64url'),
      show: presentPreview,
    })
    return json(page)
  },
})

const urlOf = (token = '') => linkKey(Buffer.from(token, 'base64url').toString()) ?? ''
