import { Type } from 'typebox'
import { withArticle } from '../../../platform/common/article.ts'
import { base36, closedComponent, closedObject, nullable, text } from '../../../platform/http/schema.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage } from '../entity/list.ts'
import { idIn, idOf } from '../entity/types.ts'
import type { AccountScope } from '../scope.ts'
import { lineItemServability } from '../servability/servability.ts'
import { audienceOf, unknownAudience } from './access.ts'
import { customAudiences, tailoredAudiences } from './custom-audiences.ts'
import { lineItemsTargetedAt, namesOfCampaigns, type TargetingLineItem } from './queries.ts'

/** Line items of a page, before unservable ones are omitted. */
const PAGE = 200

const Targeted = closedComponent('TargetedCampaign', {
  campaign_id: base36('A campaign.'),
  campaign_name: text(1, 255, 'Its name.'),
  line_items: Type.Array(
    closedObject({
      id: base36('A line item that is targeted at the audience.'),
      name: nullable(text(1, 255, 'Its name.')),
      servable: Type.Boolean({ description: 'Whether it can be shown.' }),
    }),
  ),
})

const targetedOf = ({ declared: { one, path, id } }: typeof customAudiences) =>
  adsEndpoint({
    id: idOf('list', `${one} targeted`),
    method: 'GET',
    path: `${path}/{${id}}/targeted`,
    summary: `List the line items that target ${withArticle(one)}`,
    description: `Returns the account's line items that target the audience, ordered by id and grouped by campaign, ${PAGE} to a page. A campaign whose line items continue on the next page is repeated there.`,
    source: 'Audiences and insights',
    right: 'read',
    params: { [id]: base36(`The ${one}.`) },
    query: {
      with_active: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether to return only servable line items; `false` includes the others.',
        }),
      ),
      cursor: Type.Optional(text(1, 1000, '`next_cursor` of the previous page.')),
    },
    codes: ['TAILORED_AUDIENCE_NOT_FOUND'],
    data: Type.Array(Targeted),
    beside: ['cursor'],
    async handle({ scope, params, query }, context) {
      const { accountId } = scope
      const audience = idIn(params, id)
      if (!(await audienceOf(audience, { store: context.store, accountId })))
        throw unknownAudience(accountId, audience, id)
      const list = `targeted ${accountId} ${audience} ${query.with_active}`
      const [after] = query.cursor === undefined ? [''] : positionOf(context.sealer, list, query.cursor, 1)
      const args = { account: accountId, audience, after: String(after), limit: PAGE + 1 }
      const lineItems = await context.store.all(lineItemsTargetedAt, args)
      const last = cutToPage(lineItems, PAGE)
      return {
        data: await grouped(lineItems, { scope, context, onlyServable: query.with_active !== false }),
        next_cursor: last ? cursorOf(context.sealer, list, [last.id]) : null,
      }
    },
  })

export const listTargeted = targetedOf(customAudiences)
export const listTailoredTargeted = targetedOf(tailoredAudiences)

async function grouped(
  lineItems: readonly TargetingLineItem[],
  {
    scope,
    context,
    onlyServable,
  }: { scope: AccountScope; context: Pick<AdsDependencies, 'store' | 'clock'>; onlyServable: boolean },
) {
  const servabilities = await lineItemServability(lineItems, { scope, context })
  const shown = lineItems.map(({ id, name, campaign_id }, index) => ({
    id,
    name,
    campaign_id,
    servable: servabilities[index]?.servable === true,
  }))
  const byCampaign = Map.groupBy(shown, (lineItem) => lineItem.campaign_id)
  const named = await context.store.all(namesOfCampaigns, {
    account: scope.accountId,
    ids: JSON.stringify([...byCampaign.keys()]),
  })
  return named
    .map(({ id, name }) => ({
      campaign_id: id,
      campaign_name: name,
      line_items: (byCampaign.get(id) ?? []).filter((lineItem) => lineItem.servable || !onlyServable),
    }))
    .filter(({ line_items }) => line_items.length > 0)
}
