import { KINDS } from '../../../domain/audience-members/packed.ts'
import { base36 } from '../../../platform/http/schema.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { writableAudience } from './access.ts'
import { accept, Counts, countsOf, MAX_UPLOAD_BYTES, uploadBody } from './upload.ts'

export const uploadCustomAudienceUsers = adsEndpoint({
  id: 'uploadCustomAudienceUsers',
  method: 'POST',
  path: '/accounts/{account_id}/custom_audiences/{custom_audience_id}/users',
  summary: 'Add, change and remove members of a custom audience',
  description:
    'Performs all operations in order, or none. `Update` adds users as members, who keep the keys that they already have; `Delete` removes every member with any of the keys. The response is sent once the upload is durable; until the upload is merged, the audience is `PROCESSING`.',
  source: 'Custom audience users body',
  right: 'campaigns',
  limits: LIMITS.members,
  params: { custom_audience_id: base36('The custom audience.') },
  body: uploadBody(KINDS, { effective: true }),
  maxBodyBytes: MAX_UPLOAD_BYTES,
  codes: ['ACTION_NOT_ALLOWED', 'REQUEST_TOO_COMPLEX', 'TAILORED_AUDIENCE_NOT_FOUND'],
  data: Counts,
  async handle({ scope, params: { custom_audience_id: audience }, body }, context) {
    await writableAudience(audience, scope, context.store)
    const upload = { account: scope.accountId, audience, target: 'audience', body } as const
    const { users } = await accept(upload, context)
    return { data: countsOf(users) }
  },
})
