import type { TProperties, TSchema } from 'typebox'
import type { AdsDependencies } from '../dependencies.ts'
import type { AdsCode, AdsError } from '../../protocols/ads/codes.ts'
import type { Right } from '../../protocols/ads/endpoint.ts'
import type { AdsEndpoint, Echo } from '../endpoint.ts'
import type { AdsApiError } from '../../protocols/ads/api-error.ts'
import type { Transaction } from '../../storage/store.ts'
import type { Table } from '../../storage/table.ts'
import type { LIMITS } from '../endpoint.ts'
import type { AccountScope } from '../scope.ts'
import type { Cells, Fields, Fresh, Item, Supplied, SuppliedNew } from './fields.ts'
import type { codecOf, schemaOf } from './fields.ts'
import type { HistoryKind } from './history.ts'
import type { Computed } from './queries.ts'
import type { rowQueries, shownQuery } from './queries.ts'
import type { Indexes } from './table.ts'

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete'

/** A list parameter that narrows by a column: by its one value, or by any of the listed ones. */
export interface Filter {
  column: string
  schema: TSchema
  required?: true
}

/** Who makes a change, and with which app. A job makes it in the name of who asked for it. */
export interface Acting {
  readonly userId: string
  readonly app: { readonly id: string }
}

/** That an account may use an entity of another one. */
export interface Grant {
  /** The account that it belongs to. */
  readonly ownerId: string
  /** How far it may be used. */
  readonly level: string
}

/** What a change is made with. */
export interface Work {
  tx: Transaction
  /** The account of the call. */
  scope: AccountScope
  /** Set when what is changed belongs to another account. */
  grant?: Grant | undefined
  caller: Acting
  context: AdsDependencies
  now: number
}

/** A change of one entity. `before` is undefined for a new one. */
export interface Change<F extends Fields> extends Work {
  before: Item<F> | undefined
  supplied: Supplied<F>
}

/** An advertising entity, declared once: its endpoints, documents and tests follow. */
export interface EntityDeclaration<F extends Fields> {
  /** What people call one and many of it: `line item`, `line items`. */
  one: string
  many: string
  table: string
  /** Behind the version. */
  path: string
  /** The path parameter of its id. */
  id: string
  /** The section of the interface. */
  source: string
  notFound: AdsCode
  fields: F
  verbs: readonly Verb[]
  /** The most operations of one batch; none: no batch. */
  maxBatch?: number
  /** What its writes need. */
  right?: Right
  /** Only the sandbox creates and deletes it. */
  sandboxWrites?: true
  limits?: keyof typeof LIMITS
  filters?: Readonly<Record<string, Filter>>
  /** The list takes `q`, the beginning of the name in any case, of so many characters. Needs `nameKey`. */
  search?: true | number
  /** It can be a draft, which lists leave out unless asked. Its field `entity_status` says so. */
  drafts?: true
  /** It belongs to a line item: while that is deleted, it is returned only with `with_deleted`. */
  hiddenWithParent?: true
  /** Parameters of its own that its list and its single reads take; `derive` is given their values. */
  query?: TProperties
  /** Members that lists can be sorted by, beside `created_at`, `updated_at` and `deleted`, with their columns. */
  sort?: Readonly<Record<string, string>>
  /** It has a column `name_key`, its name as searches compare it. */
  nameKey?: true
  /** Indexes beside those that its orders and filters need. */
  indexes?: Indexes
  /** What its replies repeat, where that is not every parameter as it was understood. */
  echo?: Echo
  /** What its list asks for, beside what every list does. */
  list?: {
    codes: readonly AdsCode[]
    /** Throws when the list cannot be shown. */
    check(
      query: Readonly<Record<string, unknown>>,
      at: { scope: AccountScope; context: AdsDependencies },
    ): Promise<void>
  }
  /** Other accounts may be let into one of it. */
  grants?: {
    /** Codes that its writes may be rejected with. */
    codes: readonly AdsCode[]
    /**
     * How far the account of a call was let into one of another account; undefined when it was not, and for its own. Throws
     * when that is not far enough to write.
     */
    find(
      id: string,
      at: { scope: AccountScope; context: AdsDependencies; writes: boolean },
    ): Promise<Grant | undefined>
  }
  /** What its changes are called in the account history. */
  history?: HistoryKind
  /** Stands as `data_type` in the reply to a batch. */
  dataType?: string
  /** Codes of its rules, for the documents. */
  codes?: readonly AdsCode[]
  /** What its rules need that takes long to make: waited for before the transaction of a write begins. */
  prepare?(): Promise<void>
  /** Brings a changed entity in line with itself, before its rules are asked. */
  adjust?(item: Item<F>, change: Change<F>): Partial<Item<F>>
  /** Completes what a caller sent to a new entity. Throws when something that it names is not there. */
  complete?(supplied: SuppliedNew<F>, work: Work): Promise<Fresh<F>>
  /** One that is there already and stands for the same: it is the answer, and nothing new is made. */
  existing?(fresh: Fresh<F>, work: Work): Promise<Item<F> | undefined>
  /** What is wrong with an entity as it would be, in the words of its rules. */
  check?(item: Item<F>, change: Change<F>): readonly AdsError[] | Promise<readonly AdsError[]>
  /** What else a change brings with it, in its transaction. */
  after?(item: Item<F>, change: Change<F>): Promise<void>
  afterDelete?(item: Item<F>, work: Work): Promise<void>
  /** Checks what a whole request, single or a batch, results in: a list of errors for each of its items. */
  checkAll?(
    items: readonly Item<F>[],
    work: Work & { batch: boolean },
  ): Promise<readonly (readonly AdsError[])[]>
  /**
   * Members that lists and single reads give to `derive` beside those of the table, as SQL about its rows: numbers.
   */
  computed?: Computed
  /** Fills in the derived members, for a whole page at once. `query` has the values of its own parameters. */
  derive?(
    items: Item<F>[],
    at: {
      scope: AccountScope
      context: AdsDependencies
      query?: Readonly<Record<string, unknown>>
      grant?: Grant | undefined
    },
  ): Promise<void>
}

/** An entity, ready to serve. */
export interface Entity<F extends Fields = Fields> {
  readonly declared: EntityDeclaration<F>
  readonly schema: ReturnType<typeof schemaOf<F>>
  /** Every member, those among them that replies do not show. */
  readonly whole: TSchema
  readonly idSchema: TSchema
  readonly table: Table
  readonly rows: ReturnType<typeof rowQueries>
  readonly codec: ReturnType<typeof codecOf<F>>
  readonly endpoints: readonly AdsEndpoint[]
  /** What lists read of a row, and how an item is made of its cells. */
  readonly columns: readonly string[]
  readonly shown: ReturnType<typeof shownQuery>
  itemOf(cells: Cells): Item<F>
  /** A live one of the account, inside a transaction; `locked` keeps others from changing it. */
  find(
    work: Pick<Work, 'tx' | 'scope' | 'grant'>,
    id: string,
    locked?: 'locked',
  ): Promise<Item<F> | undefined>
  /** The error when there is none. */
  missing(accountId: string, id: string, parameter?: string): AdsApiError
}

/** The account whose entity is read or changed: that of the call, unless it was let into another's. */
export const ownerOf = ({ scope, grant }: { scope: AccountScope; grant?: Grant | undefined }): string =>
  grant?.ownerId ?? scope.accountId

export const capital = (words: string) => words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** `line items` with a verb in front, as an endpoint is called: `listLineItems`. */
export const idOf = (verb: string, words: string) => verb + capital(words).replaceAll(' ', '')

/** The members that a caller may give to a new entity or to one that is there. */
export const settable = (fields: Fields, verb: 'create' | 'update') =>
  Object.entries(fields).filter(([, field]) => field[verb] !== undefined)
