import { Type } from 'typebox'
import { choice, component, ids, long, webAddress } from '../../../platform/http/schema.ts'
import { checkCatalogAccess } from '../catalogs/catalog.ts'
import { entity } from '../entity/entity.ts'
import { cardUriField } from './card-fields.ts'
import { anyCard } from './shared.ts'

/** How a card shows products. */
const CREATIVE_TYPES = ['CAROUSEL', 'SINGLE', 'COLLECTION'] as const

const url = webAddress('The website that it leads to.')
const creativeType = choice([...CREATIVE_TYPES], 'How it shows the products.', 'ProductCreativeType')

const fields = {
  url: { schema: url, create: 'required' },
  creative_type: { schema: creativeType, create: 'optional' },
  card_type: { schema: choice(['DYNAMIC_PRODUCT'], 'Type of the card.'), derived: true },
  card_uri: cardUriField,
} as const

/**
 * A card that shows products of the set of a line item (reference, 08 section 12). It can be
 * created, and is read with all cards.
 */
export const dynamicProductCards = entity({
  ...anyCard,
  one: 'dynamic product card',
  ids: 'decimal text',
  source: 'Creatives (reference: dynamic product ads)',
  verbs: ['create'],
  describe: {
    create:
      'Creates a card that shows products of the set of a line item, from a JSON body. A post shows it with `dynamic_product_ad`. `cards/all` returns it. Only for apps of `--catalog-apps`.',
  },
  bodies: {
    create: component(
      'NewDynamicProductCard',
      Type.Object({ url, creative_type: Type.Optional(creativeType) }),
    ),
  },
  filters: {
    card_ids: { column: 'id', schema: ids(long('A card.'), 'Returns only the items with these ids.') },
  },
  codes: ['UNAUTHORIZED_CLIENT_APPLICATION'],
  fields,
  async complete(supplied, { caller, context }) {
    checkCatalogAccess(caller.app, context.config)
    return { creative_type: 'CAROUSEL', ...supplied }
  },
  async derive(items) {
    for (const item of items) {
      item.card_type = 'DYNAMIC_PRODUCT'
      item.card_uri = `card://${item.id}`
    }
  },
})
