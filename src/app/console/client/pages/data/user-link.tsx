import type { JSX } from 'preact'
import { useResource } from '../../resource.ts'
import { userWith } from './model.ts'

/** A link to a user, by screen name as soon as it is known. */
export function UserLink({ id }: { id: string }): JSX.Element {
  const { data } = useResource(id, userWith)
  return <a href={`/data/users/${id}`}>{data ? `@${data.screen_name}` : id}</a>
}
