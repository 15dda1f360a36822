import { nextBase36 } from '../../../platform/common/ids.ts'
import type { WriteContext } from '../entity/types.ts'
import { addLineItemApp, lineItemApp, removeLineItemApp } from './queries.ts'

/** The members of a line item that name its apps, by system. */
export const APP_MEMBERS = {
  ANDROID: 'android_app_store_identifier',
  IOS: 'ios_app_store_identifier',
} as const

export type AppSystem = keyof typeof APP_MEMBERS

type Apps = { readonly [Member in (typeof APP_MEMBERS)[AppSystem]]: string | null }

/** Keeps the list of apps of a line item as its members say. */
export async function followApps(
  item: Apps & { readonly id: string },
  { before, tx, scope, now, context }: WriteContext & { readonly before: Apps | undefined },
): Promise<void> {
  for (const system of Object.keys(APP_MEMBERS) as AppSystem[]) {
    const identifier = item[APP_MEMBERS[system]]
    if ((before?.[APP_MEMBERS[system]] ?? null) === identifier) continue
    const at = { account: scope.accountId, lineItem: item.id, system }
    const present = await tx.first(lineItemApp, at)
    if (present?.app_store_identifier === identifier) continue
    if (present) await tx.run(removeLineItemApp, { account: at.account, id: present.id, now })
    if (identifier !== null)
      await tx.run(addLineItemApp, { ...at, id: nextBase36(context.ids), identifier, now })
  }
}
