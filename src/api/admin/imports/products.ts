import { Type } from 'typebox'
import { choice, closedComponent, closedObject, id, nullable, text } from '../../../platform/http/schema.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { MAX_NAME } from '../../ads/catalogs/catalog.ts'
import { decoderOf } from '../../ads/catalogs/feed/encoded.ts'
import { FEED_FORMATS } from '../../ads/catalogs/feed/feed.ts'
import { chosenCatalog, importProductFile } from '../../ads/catalogs/feed/feed-import.ts'
import { endpoint } from '../endpoint.ts'
import { STREAMED } from '../streamed.ts'
import { userName } from '../users/user.ts'
import { importing, storeBody } from './parts.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ProductImportMessage = closedComponent('ProductImportMessage', {
  progress: Type.Optional(
    closedObject({
      pass: choice(['checking', 'importing'], 'What is done now: the file is read twice.'),
      share: Type.Number({ minimum: 0, description: 'How much of it is done, from 0 to 1.' }),
      count: count('Products so far.'),
    }),
  ),
  problem: Type.Optional(
    closedObject({
      line: Type.Integer({ minimum: 1, description: 'The line of the product.' }),
      id: nullable(Type.String({ description: 'The product.' })),
      kind: choice(['error', 'warning'], 'With an error, the product is rejected.'),
      message: Type.String({ description: 'What is wrong.' }),
    }),
  ),
  result: Type.Optional(
    closedObject({
      product_catalog_id: id('The catalog.'),
      name: Type.String({ description: 'Its name.' }),
      created: count('Products that were created.'),
      updated: count('Products that were changed.'),
      unchanged: count('Products that were the same.'),
      rejected: count('Products that were rejected.'),
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Why nothing more is imported.' })),
})

/** POST /admin/v1/products/import: imports a product feed. */
export const importProducts = endpoint({
  ...STREAMED,
  id: 'importProducts',
  method: 'POST',
  path: '/admin/v1/products/import',
  summary: 'Import a product feed',
  description:
    'Imports the product feed in the body into a catalog, by the rules of the advertising API: tab- or comma-separated values with a header line, RSS 2.0 or Atom, also compressed with gzip. Needs `catalog_id` or `user`. The reply has a line of JSON for each problem and for the progress; the last one has the `result`, or an `error`. One import runs at a time; others get 409.',
  contentTypes: [
    ...['text/tab-separated-values', 'text/csv', 'application/xml', 'text/xml'],
    ...['application/gzip', 'application/octet-stream'],
  ],
  query: {
    catalog_id: Type.Optional(id('Catalog to import into.')),
    user: Type.Optional(userName('User whose catalog to import into: id or screen name.')),
    environment: Type.Optional(
      choice(['production', 'sandbox'], 'With `user`: whose catalog; `production` by default.'),
    ),
    name: Type.Optional(
      text(1, MAX_NAME, 'With `user`: creates the catalog with this name if there is none.'),
    ),
    format: Type.Optional(choice([...FEED_FORMATS], 'Detected by default.')),
    encoding: Type.Optional(
      text(1, 50, 'Encoding, such as `latin1`. By default what the file states, or UTF-8.'),
    ),
  },
  reply: closedObject({ data: ProductImportMessage }),
  errors: [...STREAMED.errors, 'not found'],
  example: {
    reply: {
      data: {
        result: {
          ...{ product_catalog_id: '1900000000000000101', name: 'Shop' },
          ...{ created: 42, updated: 3, unchanged: 0, rejected: 1 },
        },
      },
    },
  },
  handle({ query, content }, dependencies) {
    const { catalog_id: catalogId, user, environment = 'production', name, format, encoding } = query
    if ((catalogId === undefined) === (user === undefined))
      throw new WrongValue('catalog_id', catalogId ?? '', 'Either `catalog_id` or `user` is needed.')
    if (encoding !== undefined && !decoderOf(encoding))
      throw new WrongValue('encoding', encoding, `There is no encoding "${encoding}".`)
    const { fetchImages } = dependencies.config
    return importing(
      dependencies,
      async () => {
        const catalog = await chosenCatalog({ catalogId, user, environment, name }, dependencies)
        return { catalog, stored: await storeBody(content) }
      },
      ({ catalog, stored: { file } }, services, run) =>
        importProductFile(file, { catalog, format, encoding, fetchImages }, services, run),
      ({ stored }) => stored.remove(),
    )
  },
})
