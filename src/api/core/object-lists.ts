import { type TProperties, Type } from 'typebox'
import type { Scope } from '../../identity/tokens/scopes.ts'
import type { LimitText } from '../../platform/http/limits.ts'
import { choices, id } from '../../platform/http/schema.ts'
import type { ObjectMembers } from '../../platform/objects/shape.ts'
import type { ResourceProblem } from '../../platform/protocols/problem/resource.ts'
import type { Store } from '../../platform/storage/store.ts'
import { checkOwn } from './actions.ts'
import {
  type FindVisibleKeys,
  type LookupName,
  type ObjectDependencies,
  objectEndpoint,
} from './objects/endpoint.ts'
import {
  type Entry,
  type PageArgs,
  PageMeta,
  type PagingQuery,
  pageParameters,
  readPage,
  TimelineMeta,
} from './paging.ts'
import { readSubject } from './posts/subject.ts'
import { USER, whyHidden } from './users/subject.ts'

type ListQuery = PagingQuery & Readonly<Record<string, unknown>>

/** A list of posts or users that belongs to a user or a post. */
interface ListDeclaration<Row extends Entry> {
  id: string
  /** The last part of the path: `followers`. */
  segment: string
  summary: string
  description: string
  scopes: readonly Scope[]
  object: 'post' | 'user'
  results: { default: number; min: number; max: number }
  limits: Readonly<Partial<Record<'app' | 'user', LimitText>>>
  query?: TProperties
  /**
   * Reads consecutive rows of the list of a user, or of a post, which is named by its first
   * version.
   */
  read(store: Pick<Store, 'all'>, of: string, args: PageArgs, query: ListQuery): Promise<readonly Row[]>
  /** The id of the object that a row stands for; defaults to the id of the row. */
  keyOf?(row: Row): string
  /** What the keys are, if they are not ids. */
  by?: LookupName
  /** Whether a row is shown, if the caller sees its object. */
  isShown?(row: Row, query: ListQuery): boolean
  /** Whether `meta` contains the newest and the oldest post of the page. */
  isTimeline?: boolean
}

const POST = { id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }

const EXCLUDES = ['replies', 'reposts'] as const
export const excludeParameter = {
  exclude: Type.Optional(choices([...EXCLUDES], 'Posts to exclude.', 'ExcludedPosts')),
}

const common = <Row extends Entry>(declared: ListDeclaration<Row>, of: 'users' | 'posts') => ({
  id: declared.id,
  path: `/2/${of}/{id}/${declared.segment}`,
  summary: declared.summary,
  description: declared.description,
  scopes: declared.scopes,
  source: 'Core reference, 00 section 7',
  query: {
    ...pageParameters({ ...declared.results, what: declared.object === 'post' ? 'posts' : 'users' }),
    ...declared.query,
  },
  returns: {
    object: declared.object,
    count: 'many',
    meta: Type.Optional(declared.isTimeline ? TimelineMeta : PageMeta),
  } as const,
  example: {
    params: { id: of === 'users' ? USER.id : POST.id },
    data: [declared.object === 'post' ? POST : USER],
    meta: declared.isTimeline
      ? { result_count: 1, newest_id: POST.id, oldest_id: POST.id }
      : { result_count: 1 },
  },
})

async function pageOf<Row extends Entry>(
  { read, results, keyOf = ({ id: key }) => key, by, isShown, isTimeline = false }: ListDeclaration<Row>,
  { of, query }: { of: string; query: ListQuery },
  { store, shownKeys }: Pick<ObjectDependencies, 'store'> & { shownKeys: FindVisibleKeys },
) {
  const { rows, tokens } = await readPage(query, {
    defaultLimit: results.default,
    read: (args) => read(store, of, args, query),
    async shown(rows) {
      const listed = rows.filter((row) => isShown?.(row, query) ?? true)
      const keys = await shownKeys(listed.map(keyOf), by)
      return listed.filter((row) => keys.has(keyOf(row)))
    },
  })
  const meta = (shown: readonly ObjectMembers[]) => {
    const [newest, oldest] = [shown[0], shown.at(-1)]
    const ends = isTimeline && newest && oldest ? { newest_id: newest.id, oldest_id: oldest.id } : {}
    return { result_count: shown.length, ...ends, ...tokens }
  }
  return { keys: rows.map(keyOf), ...(by && { by }), meta }
}

/** Declares a list of a user, for everyone who sees the user's posts. */
export const listOfUser = <Row extends Entry>(declared: ListDeclaration<Row>) =>
  objectEndpoint({
    ...common(declared, 'users'),
    auth: ['app', 'user'],
    limits: declared.limits,
    params: { id: id('The user.') },
    async find({ principal, params, query }, dependencies, shownKeys) {
      const viewer = principal.kind === 'user' ? principal.userId : undefined
      const problem: ResourceProblem | undefined = await whyHidden(params.id, viewer, dependencies)
      return problem
        ? { problem }
        : pageOf(declared, { of: params.id, query }, { ...dependencies, shownKeys })
    },
  })

/** Declares a list that only its user can read. */
export const ownListOfUser = <Row extends Entry>(declared: ListDeclaration<Row>) =>
  objectEndpoint({
    ...common(declared, 'users'),
    auth: ['user'],
    limits: declared.limits,
    params: { id: id('The user who calls.') },
    async find({ principal, params, query }, dependencies, shownKeys) {
      checkOwn(principal, 'id', params.id)
      return pageOf(declared, { of: params.id, query }, { ...dependencies, shownKeys })
    },
  })

/** Declares a list of users or posts that refer to a post, for everyone who sees the post. */
export const listOfPost = <Row extends Entry>(declared: ListDeclaration<Row>) =>
  objectEndpoint({
    ...common(declared, 'posts'),
    auth: ['app', 'user'],
    limits: declared.limits,
    params: { id: id('The post.') },
    async find({ principal, params, query }, dependencies, shownKeys) {
      const viewer = principal.kind === 'user' ? principal.userId : undefined
      const found = await readSubject({ id: params.id, parameter: 'id', viewer }, dependencies)
      if ('problem' in found) return found
      const of = found.post.first_version_id
      return pageOf(declared, { of, query }, { ...dependencies, shownKeys })
    },
  })
