import { callAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { decimalId, numberOf } from './values.ts'

/** Of a poll. */
const MAX_ANSWERS = 4

/** Codes of countries; none for `none`. */
function countriesIn(flags: Flags): string[] {
  const given = flags.required('countries')
  if (given === 'none') return []
  const codes = given.split(',').map((code) => code.trim())
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code))
  if (wrong !== undefined)
    throw new UsageError(`--countries takes codes such as DE,FR, or none, not "${wrong}"`)
  return [...new Set(codes)]
}

const places = (codes: readonly string[]) =>
  codes.length === 0 ? 'is not withheld in any country' : `is withheld in ${codes.join(', ')}`

/** `plaza post withhold`. */
export async function post(call: Call): Promise<number> {
  const country_codes = countriesIn(call.flags)
  const copyright = call.flags.on('copyright')
  if (copyright && country_codes.length === 0)
    throw new UsageError('--copyright needs countries in which the post is withheld, not "none"')
  const withheld = country_codes.length === 0 ? null : { country_codes, copyright }
  return changePost(call, { withheld }, places(country_codes))
}

/** `plaza post drop`, `undrop`. */
export const drop = (call: Call) => changePost(call, { dropped: true }, 'is out of public view')
export const undrop = (call: Call) => changePost(call, { dropped: false }, 'is in public view')

/** `plaza post vote`. */
export async function vote({ flags, positionals, config }: Call): Promise<number> {
  const id = decimalId(positionals[0])
  const position = numberOf(flags, 'answer', 1, MAX_ANSWERS)
  const path = `/users/${encodeURIComponent(flags.required('user'))}/posts/${id}/vote` as const
  const counted = await withAdmin(config, (admin) => callAdmin(admin, 'PUT', path, { position }))
  if (flags.on('json')) console.log(JSON.stringify(counted))
  else console.log(`The vote for answer ${position} is counted.`)
  return 0
}

async function changePost({ flags, positionals, config }: Call, change: object, outcome: string) {
  const id = decimalId(positionals[0])
  await withAdmin(config, (admin) => callAdmin(admin, 'PUT', `/posts/${id}`, change))
  if (flags.on('json')) console.log(JSON.stringify({ id, ...change }))
  else console.log(`Post ${id} ${outcome}.`)
  return 0
}

/** `plaza user withhold`. */
export async function user({ flags, positionals: [who = ''], config }: Call): Promise<number> {
  const withheld_in = countriesIn(flags)
  const { id, screen_name } = await withAdmin(config, (admin) =>
    callAdmin(admin, 'PUT', `/users/${encodeURIComponent(who)}`, { withheld_in }),
  )
  if (flags.on('json')) console.log(JSON.stringify({ id, screen_name, withheld_in }))
  else console.log(`User @${screen_name} (${id}) ${places(withheld_in)}.`)
  return 0
}

/** `plaza user remove-places`. */
export async function removePlaces({ flags, positionals: [who = ''], config }: Call): Promise<number> {
  const upTo = flags.text('up-to')
  const body = upTo === undefined ? {} : { up_to_post_id: decimalId(upTo) }
  const path = `/users/${encodeURIComponent(who)}/remove_places` as const
  const { posts } = await withAdmin(config, (admin) => callAdmin(admin, 'POST', path, body))
  if (flags.on('json')) console.log(JSON.stringify({ user: who, posts }))
  else console.log(`Posts whose places were removed: ${posts}.`)
  return 0
}
