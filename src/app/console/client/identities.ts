import { call } from './api.ts'
import { type Resource, useResource } from './resource.ts'

/** Who can call: the first users and apps. */
export interface Identities {
  readonly users: readonly { readonly id: string; readonly screen_name: string; readonly name: string }[]
  readonly apps: readonly { readonly id: string; readonly name: string }[]
}

interface List<T> {
  readonly data: T
}

export const useIdentities = (): Resource<Identities> =>
  useResource('identities', async (_key, signal) => {
    const [users, apps] = await Promise.all([
      call<List<Identities['users']>>('GET', '/users?limit=100', { signal }),
      call<List<Identities['apps']>>('GET', '/apps?limit=100', { signal }),
    ])
    return { users: users.data, apps: apps.data }
  })
