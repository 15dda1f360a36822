import { adsEndpoint } from '../endpoint.ts'
import { attributionOfEvent } from './attribute.ts'
import { questionParameters, echo, LIMITS, readEvent } from './parameters.ts'
import { ConversionAttribution, shownEvent } from './reply.ts'

/** GET /12/conversion_attribution (reference: mobile measurement). */
export const getConversionAttribution = adsEndpoint({
  id: 'getConversionAttribution',
  method: 'GET',
  path: '/conversion_attribution',
  summary: 'Find out what led to a conversion in an app',
  description:
    'Returns the last engagement of the person with an advertisement within the click window, or else the last view within the view window, and records nothing. Only for the client application that created the app event provider configuration of an account that counts conversions of the app.',
  source: 'Campaign management (reference: mobile measurement)',
  limits: LIMITS,
  query: questionParameters,
  echo,
  codes: ['INVALID_APP_ID', 'MACT_APP_NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: ConversionAttribution,
  beside: ['type'],
  async handle({ host, principal, query }, context) {
    const attribution = await attributionOfEvent(
      readEvent(query, context.clock.now()),
      { host, principal },
      context,
    )
    const shown = await shownEvent(query, attribution, { ...context, partner: principal.app.id })
    return {
      data_type: 'conversion_attribution',
      data: { ...shown, extra_device_ids: query.extra_device_ids ?? null },
    }
  },
})
