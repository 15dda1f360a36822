import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import { requestAcceptance } from './pending-requests.ts'

/** Accepts the follow requests of a user who is no longer protected. */
export const relations: Module<{ store: Store }> = {
  tasks: (context) => [requestAcceptance(context)],
}
