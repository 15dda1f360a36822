import type { ActivityKind } from '../kind.ts'
import { directMessageForms } from './direct-messages.ts'
import type { AccountForm } from './form.ts'
import { postForms } from './posts.ts'
import { relationForms, revokedForm } from './relations.ts'

const formOf = new Map<ActivityKind, AccountForm>(
  [...postForms, ...relationForms, revokedForm, ...directMessageForms].flatMap((form) =>
    form.kinds.map((kind): [ActivityKind, AccountForm] => [kind, form]),
  ),
)

/** How account activity reports a kind; undefined if it does not. */
export const accountFormOf = (kind: ActivityKind): AccountForm | undefined => formOf.get(kind)
