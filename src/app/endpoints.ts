// First, so that the entities are declared in the order of this list, whatever imports some of
// them.
import '../api/ads/endpoints.ts'
import * as adminData from '../api/admin/data/endpoints.ts'
import type { AdminDependencies, DataDependencies } from '../api/admin/endpoint.ts'
import * as admin from '../api/admin/endpoints.ts'
import * as ads from '../api/ads/endpoints.ts'
import * as core from '../api/core/endpoints.ts'
import * as oauth from '../api/oauth/endpoints.ts'
import type { PlazaEndpoint } from '../identity/auth/endpoint.ts'
import type { Context } from './start/context.ts'

/** Every endpoint of the admin API, which the console serves. */
export const adminEndpoints: readonly PlazaEndpoint<AdminDependencies>[] = Object.values(admin)

/** Those that only work on the data of Plaza. */
export const adminDataEndpoints: readonly PlazaEndpoint<DataDependencies>[] = Object.values(adminData)

/** An endpoint, or an entity with its endpoints. */
type AdsDeclared = PlazaEndpoint<Context> | { readonly endpoints: readonly PlazaEndpoint<Context>[] }

/** Every endpoint of the APIs. Routes, documents and tests are derived from this list. */
export const endpoints: readonly PlazaEndpoint<Context>[] = [
  ...Object.values(core),
  ...Object.values(oauth),
  ...Object.values<AdsDeclared>(ads).flatMap((declared) =>
    'endpoints' in declared ? declared.endpoints : [declared],
  ),
]

/** Every endpoint that the documents describe. */
export const documentedEndpoints = [...endpoints, ...adminEndpoints]
