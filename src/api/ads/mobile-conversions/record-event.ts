import { adsEndpoint } from '../endpoint.ts'
import { attributionOfEvent } from './attribute.ts'
import { echo, eventParameters, LIMITS, readEvent } from './parameters.ts'
import { record } from './record.ts'
import { ConversionEvent, shownEvent } from './reply.ts'

/** POST /12/conversion_event (reference: mobile measurement). */
export const recordConversionEvent = adsEndpoint({
  id: 'recordConversionEvent',
  method: 'POST',
  path: '/conversion_event',
  summary: 'Record a conversion in an app',
  description:
    'Records what a person did in an app, and returns what led to it: the last engagement with an advertisement within the click window, or else the last view within the view window. It counts for what was promoted, at the time at which it happened. Only for the client application that created the app event provider configuration of an account that counts conversions of the app.',
  source: 'Campaign management (reference: mobile measurement)',
  limits: LIMITS,
  form: eventParameters,
  echo,
  codes: ['INVALID_APP_ID', 'MACT_APP_NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: ConversionEvent,
  async handle({ host, principal, form }, context) {
    const attribution = await attributionOfEvent(
      readEvent(form, context.clock.now()),
      { host, principal },
      context,
    )
    await context.store.write((tx) => record(form, attribution, { tx, ids: context.ids }))
    return { data: await shownEvent(form, attribution, { ...context, partner: principal.app.id }) }
  },
})
