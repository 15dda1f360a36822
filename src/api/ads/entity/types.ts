import type { TObject, TProperties, TSchema } from 'typebox'
import type { IdSource } from '../../../platform/common/ids.ts'
import type { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsCode, AdsError } from '../../../platform/protocols/ads/codes.ts'
import type { AdsRight } from '../../../platform/protocols/ads/endpoint.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Table } from '../../../platform/storage/table.ts'
import type { AdsDependencies, EntityDependencies } from '../dependencies.ts'
import type { AdsEndpoint, Echo, LIMITS } from '../endpoint.ts'
import type { AccountScope } from '../scope.ts'
import type {
  codecOf,
  DecimalIds,
  EntityInput,
  EntityItem,
  Fields,
  NewEntityInput,
  NewEntityItem,
  schemaOf,
} from './fields.ts'
import type { HistoryKind } from './history-kinds.ts'
import type { ComputedColumns, ListNarrowing, lockQueries, rowQueries, shownQuery } from './queries.ts'
import type { Indexes } from './table.ts'

export const VERBS = ['list', 'get', 'create', 'update', 'delete'] as const
export type Verb = (typeof VERBS)[number]

/** A list parameter that filters by a column: by one value, or by any of a list. */
export interface Filter {
  column: string
  schema: TSchema
  required?: true
}

/** A list parameter that bounds columns of times. */
export interface RangeFilter {
  schema: TSchema
  /** The bounds, exclusive, that a value of the parameter sets at a time. */
  bounds(value: never, now: number): readonly Bound[]
}

/** A bound of a column: values above it or below it are listed. */
export interface Bound extends ListNarrowing {
  by: 'above' | 'below'
  value: number
}

/** The user and the app that make a change. A job acts for the user who requested it. */
export interface ActingCaller {
  readonly userId: string
  readonly app: { readonly id: string }
}

/** The permission of an account to use an entity of another account. */
export interface Grant {
  /** The account that it belongs to. */
  readonly ownerId: string
  /** The level of the permission. */
  readonly level: string
}

/** What an entity belongs to. */
export interface Parent {
  /** Its table. */
  table: string
  /** The column of the entity that names it. */
  column: string
  /**
   * Whether an update with these members, or a deletion, which has none, locks it. A creation
   * always does.
   */
  lockedFor(supplied: Readonly<Record<string, unknown>>): boolean
}

/** The context of a change. */
export interface WriteContext {
  tx: Transaction
  /** The account of the call. */
  scope: AccountScope
  /** Set when the changed entity belongs to another account. */
  grant?: Grant | undefined
  caller: ActingCaller
  context: EntityDependencies
  now: number
  /** Entities that were to be created and existed already. Creations add them. */
  existing?: Set<object>
}

/** A change of one entity. `before` is undefined for a new one. */
export interface Change<F extends Fields> extends WriteContext {
  before: EntityItem<F> | undefined
  supplied: EntityInput<F>
}

/** A change of an entity that exists. */
export interface Update<F extends Fields> extends Change<F> {
  before: EntityItem<F>
}

/** The values of the parameters of a list. */
export type ListValues = Readonly<Record<string, unknown>>

/** The names of an entity. They follow from its singular, unless it declares them. */
export interface EntityNames {
  /** The plural in messages: `line items`. */
  many: string
  table: string
  /** The path after the version: `/accounts/{account_id}/line_items`. */
  path: string
  /** The path parameter of its id: `line_item_id`. */
  id: string
}

/** An advertising entity, declared once: its endpoints, documents and tests are derived from it. */
export interface EntityDeclaration<F extends Fields> extends Partial<EntityNames> {
  /** The singular in messages: `line item`. */
  one: string
  /** The section of the interface. */
  source: string
  notFound: AdsCode
  fields: F
  /** By default, all of them. */
  verbs?: readonly Verb[]
  /** What the documents say of an endpoint, if the usual words do not suffice. */
  describe?: Partial<Record<Verb, string>>
  /** The maximum number of operations in a batch; absent: no batch endpoint. */
  maxBatch?: number
  /** Its ids are in decimal digits, as those of posts, instead of base 36. */
  ids?: DecimalIds
  /** A deletion removes its row: no later reply has it. Its list can only be filtered and paged. */
  removed?: true
  /** Delivery follows its changes: what came before them is computed first. */
  delivered?: true
  /** A batch locks the parents of its entities. */
  parent?: Parent
  /** The right that writes require. */
  right?: AdsRight
  /** Can be created and deleted only on the sandbox. */
  sandboxWrites?: true
  limits?: keyof typeof LIMITS
  filters?: Readonly<Record<string, Filter>>
  /** Their columns must be in `sort`, which gives them an index. */
  ranges?: Readonly<Record<string, RangeFilter>>
  /** The list begins with the newest item by default. */
  newestFirst?: true
  /**
   * The list takes `q`, the beginning of the name in any case, of this many characters. Needs
   * `nameKey`.
   */
  search?: true | number
  /** `PUT …/{id}/activate` sets its `entity_status` to `ACTIVE`. */
  activates?: true
  /** It can be a draft, which lists omit by default. Its field `entity_status` has the state. */
  drafts?: true
  /** It belongs to a line item: while that is deleted, it is returned only with `with_deleted`. */
  hiddenWithParent?: true
  /** Additional parameters of its list and single reads, which `derive` receives. */
  query?: TProperties
  /** The maximum and the default number of items in a page of its list. */
  paging?: readonly [max: number, fallback: number]
  /** Writes take a JSON body of this shape instead of parameters. */
  bodies?: { readonly create: TObject; readonly update?: TObject }
  /** The maximum size of the parameters of a write. */
  maxBodyBytes?: number
  /**
   * Sort attributes in addition to `created_at`, `updated_at` and `deleted`, with their columns.
   */
  sort?: Readonly<Record<string, string>>
  /** It has a column `name_key` with its normalized name for searches. */
  nameKey?: true
  /** Indexes in addition to those of its orders and filters. */
  indexes?: Indexes
  /** What its replies repeat, if that is not every parsed parameter. */
  echo?: Echo
  /** Additional rules of its list. */
  list?: {
    codes: readonly AdsCode[]
    /**
     * The parameters that it is read with; undefined for an empty list. Throws when the caller may
     * not read the list.
     */
    narrow(
      query: ListValues,
      at: { scope: AccountScope; context: AdsDependencies },
    ): Promise<ListValues | undefined>
  }
  /** An entity can be shared with other accounts. */
  grants?: {
    /** Error codes of its writes. */
    codes: readonly AdsCode[]
    /**
     * The permission of the account of a call for an entity of another account; undefined without
     * one, and for its own. Throws when the permission does not include writing.
     */
    find(
      id: string,
      at: { scope: AccountScope; context: AdsDependencies; writes: boolean },
    ): Promise<Grant | undefined>
  }
  /** The name of its changes in the account history. */
  history?: HistoryKind
  /** The `data_type` in the reply to a batch. */
  dataType?: string
  /** Codes of its rules, for the documents. */
  codes?: readonly AdsCode[]
  /** Codes of its batch only. */
  batchCodes?: readonly AdsCode[]
  /** Codes of updates only. */
  updateCodes?: readonly AdsCode[]
  /** The values of its members that are derived and fixed. */
  fixed?(work: WriteContext, item: EntityItem<F>): Partial<EntityItem<F>>
  /** Prepares data that its rules need; awaited before the transaction of a write begins. */
  prepare?(): Promise<void>
  /** Updates dependent fields of a changed entity, before its rules are checked. */
  adjust?(item: EntityItem<F>, change: Update<F>): Partial<EntityItem<F>> | Promise<Partial<EntityItem<F>>>
  /** Completes a new entity from its parameters. Throws when a referenced entity does not exist. */
  complete?(supplied: NewEntityInput<F>, work: WriteContext): Promise<NewEntityItem<F>>
  /** Members that `findSame` compares. An index should begin with them. */
  same?: readonly (keyof F & string)[]
  /** An existing equivalent entity, which is returned instead of creating a new one. */
  existing?(fresh: NewEntityItem<F>, work: WriteContext): Promise<EntityItem<F> | undefined>
  /** The validation errors of an entity in its new state. */
  check?(item: EntityItem<F>, change: Change<F>): readonly AdsError[] | Promise<readonly AdsError[]>
  /** Follow-up writes of a change, in its transaction. */
  after?(item: EntityItem<F>, change: Change<F>): Promise<void>
  /** Locks what a deletion changes besides the item, before the item. */
  beforeDelete?(id: string, work: WriteContext): Promise<void>
  afterDelete?(item: EntityItem<F>, work: WriteContext): Promise<void>
  /**
   * Checks what a whole request, single or a batch, results in: a list of errors for each of its
   * items.
   */
  checkAll?(
    items: readonly EntityItem<F>[],
    work: WriteContext & { batch: boolean },
  ): Promise<readonly (readonly AdsError[])[]>
  /**
   * Numeric SQL expressions that lists and single reads select for `derive`, in addition to the
   * columns.
   */
  computed?: ComputedColumns
  /**
   * Fills in the derived members, for a whole page at once. `query` has the values of its own
   * parameters.
   */
  derive?(
    items: EntityItem<F>[],
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
  readonly declared: EntityDeclaration<F> & EntityNames & { readonly verbs: readonly Verb[] }
  /** Every member, with those that all entities have. */
  readonly members: Fields
  readonly schema: ReturnType<typeof schemaOf<F>>
  /** Its own members, including those that replies do not show. */
  readonly whole: TSchema
  readonly idSchema: TSchema
  /** The id of a new one. */
  nextId(source: IdSource): string
  readonly table: Table
  readonly rows: ReturnType<typeof rowQueries>
  /** Only if it has a batch endpoint. */
  readonly locks: ReturnType<typeof lockQueries> | undefined
  readonly codec: ReturnType<typeof codecOf<F>>
  readonly endpoints: readonly AdsEndpoint[]
  /** The columns that lists and single reads select. */
  readonly columns: readonly string[]
  readonly shown: ReturnType<typeof shownQuery>
  /** An entity of the account that is not deleted, in a transaction. `locked` locks its row. */
  find(
    work: Pick<WriteContext, 'tx' | 'scope' | 'grant'>,
    id: string,
    locked?: 'locked',
  ): Promise<EntityItem<F> | undefined>
  /** The same; throws if it does not exist. */
  require(
    work: Pick<WriteContext, 'tx' | 'scope' | 'grant'>,
    id: string,
    locked?: 'locked',
  ): Promise<EntityItem<F>>
  /** A visible entity of the account with the same values of the members in `same`. */
  findSame(
    at: { tx: Transaction; scope: Pick<AccountScope, 'accountId'> },
    values: { readonly [Name in keyof F]?: unknown },
  ): Promise<EntityItem<F> | undefined>
  /** The error if it does not exist. */
  missing(accountId: string, id: string, parameter?: string): AdsApiError
}

/**
 * The account whose entity is read or changed: that of the call, unless the entity is shared by
 * another account.
 */
export const ownerOf = ({ scope, grant }: { scope: AccountScope; grant?: Grant | undefined }): string =>
  grant?.ownerId ?? scope.accountId

export const capital = (words: string) => words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** `line items` with a verb in front, as in the id of an endpoint: `listLineItems`. */
export const idOf = (verb: string, words: string) => verb + capital(words).replaceAll(/[ /]/g, '')

/** The value of a path parameter whose name is not known before. */
export const idIn = (params: unknown, name: string) => String((params as Record<string, unknown>)[name])

/** The members that callers may set on a new or an existing entity, in a single call. */
export const settable = (fields: Fields, verb: 'create' | 'update') =>
  Object.entries(fields).filter(([, field]) => field[verb] !== undefined && field[verb] !== 'batch')

/** The members that callers may set on a new entity only in a batch. */
export const settableInBatch = (fields: Fields) =>
  Object.entries(fields).filter(([, { create }]) => create === 'batch')
