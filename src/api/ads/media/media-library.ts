import { Type } from 'typebox'
import { compareIds, FIRST_ID } from '../../../platform/common/ids.ts'
import { fixed, msg } from '../../../platform/http/message.ts'
import { choice, text } from '../../../platform/http/schema.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsCode } from '../../../platform/protocols/ads/codes.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage, paging } from '../entity/list.ts'
import type { WriteContext } from '../entity/types.ts'
import { rejectChanged, throwErrors } from '../entity/write.ts'
import {
  type Details,
  details,
  inLibrary,
  itemReadOnly,
  itemsOf,
  keepInLibrary,
  MEDIA_TYPES,
  MediaItem,
  notShowable,
  removeFromLibrary,
  termsOf,
  textsOf,
  usableMedia,
  wrongDetails,
} from './library.ts'
import { mediaKey } from './media-key.ts'
import {
  endOfWalk,
  idsByTerms,
  type LibraryMedium,
  libraryMedia,
  pageOfLibrary,
  pageOfLibraryType,
} from './queries.ts'
import { unknownMedium } from './uses.ts'

const PATH = '/accounts/{account_id}/media_library'
const PAGE = 20
const MAX_PAGE = 50
const source = 'Creatives'

interface LibraryListQuery {
  media_type?: string | undefined
  q?: string | undefined
}

export const listMediaLibrary = adsEndpoint({
  id: 'listMediaLibrary',
  method: 'GET',
  path: PATH,
  summary: 'List the media library',
  description:
    'Returns the media library, oldest first. `q` finds media whose name, title, file name or description contains every word. A page of a search may have fewer than `count` items even if more follow.',
  source,
  right: 'read',
  query: {
    ...paging(MAX_PAGE, PAGE),
    media_type: Type.Optional(
      choice([...MEDIA_TYPES], 'Returns only the items with these ids.', 'MediaType'),
    ),
    q: Type.Optional(text(1, 255, 'Words of the name, title, file name or description. Not case-sensitive.')),
  },
  data: Type.Array(MediaItem),
  beside: ['cursor'],
  async handle({ scope: { accountId }, query }, context) {
    const { count = PAGE, cursor, ...filter } = query
    const list = JSON.stringify(['media library', accountId, filter])
    const [after = FIRST_ID] = cursor === undefined ? [] : positionOf(context.sealer, list, cursor, 1)
    const page = { account: accountId, after: String(after), limit: count + 1 }
    const { found, walkedTo } = await pageOf(filter, page, context)
    const last = cutToPage(found, count)?.entry_id ?? walkedTo
    return {
      data: await itemsOf(found, context),
      next_cursor: last ? cursorOf(context.sealer, list, [last]) : null,
    }
  },
})

/**
 * Maximum number of entries that a search examines for a page. With more entries, the page may be
 * short, and its cursor continues from there.
 */
const WALK = 1_000

interface LibraryPage {
  found: LibraryMedium[]
  /** Where a search stopped before its end. */
  walkedTo?: string | undefined
}

async function pageOf(
  { media_type: type, q }: LibraryListQuery,
  page: { account: string; after: string; limit: number },
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<LibraryPage> {
  if (q === undefined)
    return {
      found: await (type === undefined
        ? store.all(pageOfLibrary, page)
        : store.all(pageOfLibraryType, { ...page, type })),
    }
  const [first, ...others] = termsOf(q)
  if (first === undefined) return { found: [] }
  const types = JSON.stringify(type === undefined ? MEDIA_TYPES : [type])
  const args = { ...page, first, others: JSON.stringify(others), types, walk: WALK }
  const found = await store.all(idsByTerms, args)
  const end = await store.first(endOfWalk, { ...page, first, steps: WALK - 1 })
  const ids = JSON.stringify(found.map(({ media_id }) => media_id))
  const media = await store.all(libraryMedia, { account: page.account, ids })
  return { found: media.sort((a, b) => compareIds(a.entry_id, b.entry_id)), walkedTo: end?.entry_id }
}

const params = { media_key: mediaKey('The medium.') }

export const getMediaLibraryItem = adsEndpoint({
  id: 'getMediaLibraryItem',
  method: 'GET',
  path: `${PATH}/{media_key}`,
  summary: 'Get a medium of the library',
  description: 'Returns a medium of the library. A deleted medium returns 404.',
  source,
  right: 'read',
  params,
  codes: ['MEDIA_NOT_FOUND'],
  data: MediaItem,
  handle: ({ scope, params: { media_key } }, context) => shown(scope.accountId, media_key, context),
})

/** A medium of the library as it is now. */
async function shown(
  accountId: string,
  key: string,
  context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>,
) {
  const medium = (await inLibrary(context.store, accountId, [key])).get(key)
  if (!medium) throw adsApiError(unknownMedium(key))
  const [data] = await itemsOf([medium], context)
  if (!data) throw new Error('a medium of the library is not shown')
  return { data }
}

const codes: readonly AdsCode[] = ['INVALID_MEDIA', 'MEDIA_NOT_FOUND']

export const createMediaLibraryItem = adsEndpoint({
  id: 'createMediaLibraryItem',
  method: 'POST',
  path: PATH,
  summary: 'Add a medium to the library',
  description:
    'Adds a medium that the caller uploaded, or that was uploaded for the caller. A medium that is already in the library is updated. An in-stream video, or an image with the exact size of an advertisement, is also added to the account media.',
  source,
  right: 'creatives',
  form: { media_key: mediaKey('The medium.'), ...details },
  status: 201,
  codes,
  data: MediaItem,
  async handle({ scope, principal, form: { media_key: key, ...details } }, context) {
    await context.store.write(async (tx) => {
      const work: WriteContext = { tx, scope, caller: principal, context, now: context.clock.now() }
      const medium = (await usableMedia(work, [key])).get(key)
      if (!medium) throw adsApiError(unknownMedium(key))
      const fault = notShowable(medium)
      if (fault !== undefined)
        throw rejected('media_key', msg`Media ${key} cannot be used: ${fixed(fault)}`, 'INVALID_MEDIA')
      const texts = textsOf(medium, details as Details)
      throwErrors(await wrongDetails(medium, texts, work))
      await keepInLibrary(medium, texts, work)
    })
    return shown(scope.accountId, key, context)
  },
})

export const updateMediaLibraryItem = adsEndpoint({
  id: 'updateMediaLibraryItem',
  method: 'PUT',
  path: `${PATH}/{media_key}`,
  summary: 'Update a medium of the library',
  description:
    'Changes only the parameters that are sent. An empty value removes the stored value. You can send back a whole object.',
  source,
  right: 'creatives',
  params,
  form: details,
  readOnly: itemReadOnly,
  codes,
  data: MediaItem,
  async handle({ scope, principal, params: { media_key: key }, form, sentBack }, context) {
    await context.store.write(async (tx) => {
      const work: WriteContext = { tx, scope, caller: principal, context, now: context.clock.now() }
      const item = (await inLibrary(tx, scope.accountId, [key])).get(key)
      const medium = item && (await usableMedia(work, [key])).get(key)
      if (!medium) throw adsApiError(unknownMedium(key))
      rejectChanged(sentBack, { ...item, media_category: item.category })
      const texts = textsOf(medium, form as Details)
      throwErrors(await wrongDetails(medium, texts, work))
      await keepInLibrary(medium, texts, work)
    })
    return shown(scope.accountId, key, context)
  },
})

export const deleteMediaLibraryItem = adsEndpoint({
  id: 'deleteMediaLibraryItem',
  method: 'DELETE',
  path: `${PATH}/{media_key}`,
  summary: 'Delete a medium of the library',
  description:
    'Posts, cards and account media that show the medium are not affected. The medium can be added again.',
  source,
  right: 'creatives',
  params,
  codes: ['MEDIA_NOT_FOUND'],
  data: MediaItem,
  async handle({ scope, principal, params: { media_key: key } }, context) {
    const gone = await context.store.write((tx) =>
      removeFromLibrary(key, { tx, scope, caller: principal, context, now: context.clock.now() }),
    )
    const [data] = await itemsOf([gone], context)
    if (!data) throw new Error('a medium that was deleted is not shown')
    return { data }
  },
})
