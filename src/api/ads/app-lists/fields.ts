import { Type } from 'typebox'
import { closedComponent, text } from '../../../platform/http/schema.ts'
import { APP_SYSTEMS, MAX_APP_IDENTIFIER } from '../accounts/app-fields.ts'

const MAX_APPS = 500

const identifier = text(1, MAX_APP_IDENTIFIER, 'Package name, or number in the store.')

const ListedApp = closedComponent('ListedApp', {
  app_store_identifier: identifier,
  os_type: Type.Enum([...APP_SYSTEMS], { description: 'Operating system of the app.' }),
})

export const fields = {
  name: { schema: text(1, 255, 'Name of the list.'), create: 'required' },
  app_store_identifiers: {
    schema: Type.Array(identifier, {
      minItems: 1,
      maxItems: MAX_APPS,
      uniqueItems: true,
      description: 'The apps.',
    }),
    create: 'required',
    unshown: true,
  },
  apps: { schema: Type.Array(ListedApp, { description: 'The apps.' }), derived: true },
} as const
