import type { Module } from '../../platform/module.ts'
import type { OauthDependencies } from './dependencies.ts'
import { signInRemoval } from './forget.ts'

/** Removes expired sign-ins. */
export const oauth: Module<Pick<OauthDependencies, 'store' | 'clock'>> = {
  tasks: (context) => [signInRemoval(context)],
}
