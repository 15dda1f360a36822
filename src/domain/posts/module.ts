import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import { reactionRemoval } from './reaction-removal.ts'

/** Removes the reactions to deleted posts. */
export const posts: Module<{ store: Store }> = {
  tasks: (context) => [reactionRemoval(context)],
}
