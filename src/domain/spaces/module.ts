import type { Module } from '../../platform/module.ts'
import { spaceAnnouncing } from './announcing.ts'

/** Announces when spaces start and end. */
export const spaces: Module<object> = {
  tasks: () => [spaceAnnouncing()],
}
