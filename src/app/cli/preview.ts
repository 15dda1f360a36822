import type { GivenPreview } from '../../domain/link-previews/members.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import { type Call, UsageError } from './command.ts'
import { printList } from './list.ts'
import { isWebAddress, numberOf } from './values.ts'

const MIN_STATUS = 100
const MAX_STATUS = 599

/** A URL of the command line; absent without one. */
function webAddress<Text extends string | undefined>(url: Text, name: string): Text {
  if (url !== undefined && !isWebAddress(url))
    throw new UsageError(`${name} must be an http or https URL, not "${url}"`)
  return url
}

/** `plaza preview set`: stores what a web page says about itself. */
export async function set({ flags, positionals: [url = ''], config }: Call): Promise<number> {
  const image = webAddress(flags.text('image'), '--image')
  const preview = {
    url: webAddress(url, 'the page'),
    title: flags.text('title'),
    description: flags.text('description'),
    unwound_url: webAddress(flags.text('unwound-url'), '--unwound-url'),
    status: numberOf(flags, 'status', undefined, MAX_STATUS, { least: MIN_STATUS }),
    images: image === undefined ? undefined : [{ url: image }],
  }
  const stored = await withAdmin(config, (admin) =>
    callAdmin<GivenPreview>(admin, 'PUT', '/link_previews', preview),
  )
  if (flags.on('json')) console.log(JSON.stringify(stored))
  else console.log(`New posts show the preview with links to ${stored.url}.`)
  return 0
}

/** `plaza preview list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withAdmin(config, (admin) =>
    printList(flags, listAdmin<GivenPreview>(admin, '/link_previews'), {
      of: 'previews',
      asData: (preview) => preview,
      asText: ({ url, title = '' }) => `${url}  ${title}`.trimEnd(),
    }),
  )
  return 0
}

/** `plaza preview remove`. */
export async function remove({ flags, positionals: [url = ''], config }: Call): Promise<number> {
  const path = `/link_previews?url=${encodeURIComponent(webAddress(url, 'the page'))}` as const
  await withAdmin(config, (admin) => callAdmin(admin, 'DELETE', path))
  if (flags.on('json')) console.log(JSON.stringify({ url, deleted: true }))
  else console.log(`The preview of ${url} is removed. Posts that were written with it keep it.`)
  return 0
}
