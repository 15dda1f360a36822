import { type Static, Type } from 'typebox'
import {
  base36,
  choice,
  clearable,
  closedComponent,
  instant,
  long,
  nullable,
  percentage,
  text,
} from '../../../platform/http/schema.ts'
import { removable, required } from '../entity/fields.ts'

const MAX_NAME = 255
const MAX_DESCRIPTION = 1024
/** Entities of one user group. */
const MAX_ENTITIES = 200

export const ENTITY_TYPES = ['CAMPAIGN', 'LINE_ITEM'] as const
export type TestedType = (typeof ENTITY_TYPES)[number]

const group = {
  id: base36('The user group.'),
  name: text(1, MAX_NAME, 'Human-readable name.'),
  description: text(1, MAX_DESCRIPTION, 'Description.'),
  size: percentage('Share of the people, in percent. All shares add up to 100.00.'),
  entity_ids: Type.Array(base36('A campaign or line item.'), {
    maxItems: MAX_ENTITIES,
    description: 'Campaigns or line items that only people of this group see while the test is live.',
  }),
}

const Group = closedComponent('UserGroup', {
  ...group,
  name: nullable(group.name),
  description: nullable(group.description),
})

/** Sizes are in hundredths of a percent. */
export type UserGroup = Static<typeof Group>

/** The campaigns or line items of all groups of a test. */
export const entitiesOfTest = ({ user_groups }: { readonly user_groups: readonly UserGroup[] }): string[] =>
  user_groups.flatMap(({ entity_ids }) => entity_ids)

const named = {
  name: Type.Optional(clearable(group.name)),
  description: Type.Optional(clearable(group.description)),
}

const NewGroup = Type.Object({ size: group.size, entity_ids: group.entity_ids, ...named })

/** With an id, it changes a group; without, it is a new one. */
const GroupChange = Type.Object({
  id: Type.Optional(group.id),
  size: Type.Optional(group.size),
  entity_ids: Type.Optional(group.entity_ids),
  ...named,
})

export type NewGroup = Static<typeof NewGroup>
export type GroupChange = Static<typeof GroupChange>

const Person = closedComponent('AccountUser', {
  user_id: long('Id of the user.'),
  username: Type.String({ description: 'Name of the user.' }),
})

const person = (description: string) =>
  ({
    schema: Type.Unsafe<Static<typeof Person>>({ ...Person, description }),
    null: true,
    derived: true,
  }) as const

const TestedEntity = closedComponent('TestedEntity', {
  id: base36('The user group.'),
  account_id: base36('The account.'),
})

const TEST_STATUSES = ['SCHEDULED', 'LIVE', 'COMPLETED'] as const
export const testStatus = choice(
  [...TEST_STATUSES],
  'State, which follows from the time: before `start_time`, until `end_time`, and after it.',
  'ABTestStatus',
)
export type TestStatus = (typeof TEST_STATUSES)[number]

const GROUPS = 'The groups into which people are split: 2 to 30.'

export const fields = {
  name: { schema: text(1, MAX_NAME, 'Human-readable name.'), ...removable },
  description: { schema: text(1, MAX_DESCRIPTION, 'Description.'), ...removable },
  entity_type: {
    schema: choice([...ENTITY_TYPES], 'What is compared.', 'TestedType'),
    create: 'required',
  },
  start_time: { schema: instant('Start of the test.'), ...required },
  end_time: { schema: instant('End of the test, exclusive.'), ...required },
  status: { schema: testStatus, derived: true },
  user_groups: {
    schema: Type.Array(Group, { description: GROUPS }),
    ...required,
  },
  entities: {
    schema: Type.Array(TestedEntity, { description: 'The user groups once more.' }),
    derived: true,
  },
  created_by: person('Who created it; null if the user was deleted.'),
  updated_by: person('Who changed it last; null if the user was deleted.'),
  creator_id: { schema: long('Who created it.'), null: true, unshown: true },
  updater_id: { schema: long('Who changed it last.'), null: true, unshown: true },
} as const

/** What callers send of a test. */
export const bodies = {
  create: Type.Object({
    name: Type.Optional(clearable(fields.name.schema)),
    description: Type.Optional(clearable(fields.description.schema)),
    entity_type: fields.entity_type.schema,
    start_time: fields.start_time.schema,
    end_time: fields.end_time.schema,
    user_groups: Type.Array(NewGroup, { description: GROUPS }),
  }),
  update: Type.Object({
    name: Type.Optional(clearable(fields.name.schema)),
    description: Type.Optional(clearable(fields.description.schema)),
    start_time: Type.Optional(fields.start_time.schema),
    end_time: Type.Optional(fields.end_time.schema),
    user_groups: Type.Optional(
      Type.Array(GroupChange, {
        description:
          'Either changes of groups, each with its `id`, or without ids all groups of the test, which replace the present ones.',
      }),
    ),
  }),
}
