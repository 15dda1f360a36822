import { HELPFUL_TAGS, HELPFULNESS, NOT_HELPFUL_TAGS, VIEWPOINTS } from '../../domain/notes/ratings.ts'
import { callAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import type { Call } from './command.ts'
import { decimalId, someOf } from './values.ts'

/** `plaza note rate`. */
export async function rate({ flags, positionals, config }: Call): Promise<number> {
  const id = decimalId(positionals[0])
  const helpfulness = flags.oneOf('as', HELPFULNESS, 'helpful')
  const viewpoint = flags.oneOf('viewpoint', VIEWPOINTS, 'neutral')
  const known = [...HELPFUL_TAGS, ...NOT_HELPFUL_TAGS]
  const given = flags.text('tags')
  const tags = given === undefined ? [] : someOf(given, known, 'tag')
  const path = `/notes/${id}/ratings/${encodeURIComponent(flags.required('user'))}` as const
  const body = { helpfulness, viewpoint, tags }
  const { status } = await withAdmin(config, (admin) => callAdmin(admin, 'PUT', path, body))
  if (flags.on('json')) console.log(JSON.stringify({ id, status }))
  else console.log(`The status of note ${id} is ${status}.`)
  return 0
}

/** `plaza note request`. */
export async function request({ flags, positionals, config }: Call): Promise<number> {
  const id = decimalId(positionals[0])
  const path = `/posts/${id}/note_requests/${encodeURIComponent(flags.required('user'))}` as const
  const body = { suggestion: flags.text('suggestion'), source_link: flags.text('source-link') }
  const requested = await withAdmin(config, (admin) => callAdmin(admin, 'PUT', path, body))
  if (flags.on('json')) console.log(JSON.stringify(requested))
  else console.log(`Users who requested a note on post ${id}: ${requested.requests}.`)
  return 0
}
