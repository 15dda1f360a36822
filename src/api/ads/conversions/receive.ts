import { Type } from 'typebox'
import { uuid } from '../../../platform/common/random.ts'
import { msg } from '../../../platform/http/message.ts'
import { RawJson } from '../../../platform/http/reply.ts'
import { base36, closedComponent } from '../../../platform/http/schema.ts'
import { adsErrorsOf, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { accountScope } from '../accounts/scope.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint } from '../endpoint.ts'
import { type EventSource, sourceById } from '../web-event-tags/queries.ts'
import { Body } from './body.ts'
import { checkAll, record } from './record.ts'

export const receiveConversions = adsEndpoint({
  id: 'receiveConversions',
  method: 'POST',
  path: '/measurement/conversions/{pixel_id}',
  summary: 'Report conversions',
  description:
    'Records what happened on the website of an advertiser: all conversions, or none if one is wrong. A conversion that was reported within the last 48 hours with the same tag and `conversion_id` is counted once. What led to it is looked for at once: the click of `click_id`, or the last engagement or view of the person, within the windows of the tag.',
  source: 'Line item update parameters (reference: conversions)',
  limits: { limits: { user: '60000/15m' } },
  params: { pixel_id: base36('The event source: `website_tag_id` of a web event tag.') },
  body: Body,
  maxBodyBytes: 2_000_000,
  codes: ['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'NOT_FOUND'],
  data: closedComponent('ConversionsReceived', {
    conversions_processed: Type.Integer({ minimum: 0, description: 'Conversions that were accepted.' }),
    debug_id: Type.String({ description: 'Id of this request.' }),
  }),
  async handle({ host, principal, params: { pixel_id: id }, body }, context) {
    const source = await sourceOf(id, { host, userId: principal.userId }, context)
    const request = JSON.stringify({
      params: { [context.naming.vocabulary.name('account_id')]: source.account_id },
    })
    const checked = await checkAll(body.conversions, { source, request }, context)
    await record(checked, source, context)
    const data = { conversions_processed: body.conversions.length, debug_id: uuid(context.random) }
    return { data, request: new RawJson(request) }
  },
})

/** The event source. One that the user may not use does not exist for the user. */
async function sourceOf(
  id: string,
  { host, userId }: { host: string; userId: string },
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<EventSource> {
  const source = await store.first(sourceById, { id: id.toLowerCase() })
  if (source) {
    const accountId = source.account_id
    try {
      await accountScope({ store, host }, { userId }, { right: 'campaigns', accountId, deletedToo: false })
      return source
    } catch (error) {
      const [first] = adsErrorsOf(error)
      if (first?.code !== 'ACCOUNT_NOT_FOUND') throw error
    }
  }
  throw rejected('pixel_id', msg`Event source ${id} was not found`, 'NOT_FOUND')
}
