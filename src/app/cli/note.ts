import { rateNote, requestNote } from '../../domain/notes/notes.ts'
import { HELPFUL_TAGS, HELPFULNESS, NOT_HELPFUL_TAGS, VIEWPOINTS } from '../../domain/notes/ratings.ts'
import { userNamed } from '../../identity/users/named.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'
import { decimalId, someOf } from './values.ts'

const FAULTS = {
  'no such note': 'The note does not exist.',
  'own note': 'Writers cannot rate their own notes.',
  'test mode': 'Test notes cannot be rated.',
} as const

/** `plaza note rate`. */
export async function rate({ flags, positionals, config }: Call): Promise<number> {
  const id = decimalId(positionals[0])
  const helpfulness = flags.oneOf('as', HELPFULNESS, 'helpful')
  const viewpoint = flags.oneOf('viewpoint', VIEWPOINTS, 'neutral')
  const known = [...HELPFUL_TAGS, ...NOT_HELPFUL_TAGS]
  const given = flags.text('tags')
  const tags = given === undefined ? [] : someOf(given, known, 'tag')
  const who = flags.required('user')
  const rated = await withInstallation(config, async ({ store }) => {
    const { id: userId } = await userNamed(store, who)
    return store.write((tx) => rateNote(tx, id, { userId, helpfulness, viewpoint, tags }))
  })
  if ('fault' in rated) throw new Error(FAULTS[rated.fault])
  if (flags.on('json')) console.log(JSON.stringify({ id, ...rated }))
  else console.log(`The status of note ${id} is ${rated.status}.`)
  return 0
}

/** `plaza note request`. */
export async function request({ flags, positionals, config }: Call): Promise<number> {
  const id = decimalId(positionals[0])
  const who = flags.required('user')
  const requested = await withInstallation(config, async ({ store }) => {
    const { id: userId } = await userNamed(store, who)
    return store.write((tx) => requestNote(tx, id, userId))
  })
  if (!requested)
    throw new Error(
      `Notes cannot be requested on post ${id}: it must be public, not a repost, and at most 7 days old.`,
    )
  if (flags.on('json')) console.log(JSON.stringify({ post_id: id, ...requested }))
  else console.log(`Users who requested a note on post ${id}: ${requested.requests}.`)
  return 0
}
