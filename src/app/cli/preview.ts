import type { GivenPreview } from '../../domain/link-previews/members.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import type { Call } from './command.ts'
import { printList } from './list.ts'
import { numberOf } from './values.ts'

const MIN_STATUS = 100
const MAX_STATUS = 599

/** `plaza preview set`: stores what a web page says about itself. */
export async function set({ flags, positionals: [url = ''], config }: Call): Promise<number> {
  const image = flags.text('image')
  const preview = {
    url,
    title: flags.text('title'),
    description: flags.text('description'),
    unwound_url: flags.text('unwound-url'),
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
  const path = `/link_previews?url=${encodeURIComponent(url)}` as const
  await withAdmin(config, (admin) => callAdmin(admin, 'DELETE', path))
  if (flags.on('json')) console.log(JSON.stringify({ url, deleted: true }))
  else console.log(`The preview of ${url} is removed. Posts that were written with it keep it.`)
  return 0
}
