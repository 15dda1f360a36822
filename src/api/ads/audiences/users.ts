import { KINDS } from '../../../domain/audience-members/packed.ts'
import { withArticle } from '../../../platform/common/article.ts'
import { base36, component } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { idIn, idOf } from '../entity/types.ts'
import { writableAudience } from './access.ts'
import { customAudiences, tailoredAudiences } from './custom-audiences.ts'
import { noUsers, recountAfterUpload } from './flexible.ts'
import { accept, Counts, countsOf, MAX_UPLOAD_BYTES, uploadBody } from './upload.ts'

/** Both names of the resource have the same body. */
const usersBody = component('UploadAudienceUsersBody', uploadBody(KINDS, { effective: true }))

const uploadOf = ({ declared: { one, path, id } }: typeof customAudiences) =>
  adsEndpoint({
    id: idOf('upload', `${one} users`),
    method: 'POST',
    path: `${path}/{${id}}/users`,
    summary: `Add, change and remove members of ${withArticle(one)}`,
    description:
      'Performs all operations in order, or none. `Update` adds users as members, who keep the keys that they already have; `Delete` removes every member with any of the keys. The response is sent once the upload is durable; until the upload is merged, the audience is `PROCESSING`.',
    source: 'Custom audience users body',
    right: 'campaigns',
    limits: LIMITS.members,
    params: { [id]: base36(`The ${one}.`) },
    body: usersBody,
    maxBodyBytes: MAX_UPLOAD_BYTES,
    codes: [
      'ACTION_NOT_ALLOWED',
      'INVALID_TAILORED_AUDIENCE_TYPE',
      'REQUEST_TOO_COMPLEX',
      'TAILORED_AUDIENCE_NOT_FOUND',
    ],
    data: Counts,
    async handle({ scope, params, body }, context) {
      const audience = idIn(params, id)
      const { type } = await writableAudience(audience, scope, context.store, id)
      if (type !== 'CRM') throw adsApiError(noUsers(audience, id))
      const upload = { account: scope.accountId, audience, target: 'audience', body } as const
      const { users } = await accept(upload, context)
      await recountAfterUpload(audience, context)
      return { data: countsOf(users) }
    },
  })

export const uploadCustomAudienceUsers = uploadOf(customAudiences)
export const uploadTailoredAudienceUsers = uploadOf(tailoredAudiences)
