import { type Static, Type } from 'typebox'
import type { Naming } from '../../http/contract.ts'
import { type Message, messageText, msg, word } from '../../http/message.ts'
import { component } from '../../http/schema.ts'
import { anyResourceType, section } from './types.ts'

/**
 * A Problem in a successful reply about a resource that is not returned (interface, Errors; core
 * reference, 00 section 3.3).
 */
export const ResourceProblem = component(
  'ResourceProblem',
  Type.Object(
    {
      title: Type.String(),
      type: Type.String({ description: 'A URI that names the subtype.' }),
      detail: Type.String(),
      value: Type.Optional(Type.String({ description: 'The value as it was requested.' })),
      parameter: Type.Optional(Type.String({ description: 'The parameter that named the resource.' })),
      resource_id: Type.String({ description: 'The resource that the Problem is about.' }),
      resource_type: anyResourceType,
      section: Type.Optional(section),
      field: Type.Optional(Type.String({ description: 'The field that the caller may not read.' })),
    },
    { additionalProperties: false },
  ),
  'A requested resource, or a part of it, that is not returned.',
)
export type ResourceProblem = Static<typeof ResourceProblem>

/** The resource of a Problem. */
export interface ResourceReference {
  type: ResourceProblem['resource_type']
  /** The type as it appears in sentences: `Post`. */
  noun: string
  /** The value in the parameter or field. */
  value: string
  /** The parameter, or the expansion. */
  parameter: string
}

type Section = NonNullable<ResourceProblem['section']>

/** `title`, `type` and `detail` with the names of the vocabulary. */
function head(title: string, slug: string, detail: Message, { vocabulary, problemBase }: Naming) {
  return {
    title: vocabulary.text(title),
    type: `${problemBase}/2/problems/${vocabulary.name(slug)}`,
    detail: messageText(detail, vocabulary),
  }
}

const about = ({ type, value, parameter }: ResourceReference, { vocabulary }: Naming) => ({
  value,
  parameter: vocabulary.name(parameter),
  resource_id: value,
  resource_type: type,
})

/** The resource does not exist. */
export const notFoundProblem = (resource: ResourceReference, naming: Naming): ResourceProblem => ({
  ...head(
    'Not Found Error',
    'resource-not-found',
    msg`Could not find ${word(resource.type)} with ${word(resource.parameter)}: [${resource.value}].`,
    naming,
  ),
  ...about(resource, naming),
})

/** The caller may not see the resource. */
export const notAuthorizedProblem = (
  resource: ResourceReference,
  section: Section,
  naming: Naming,
): ResourceProblem => ({
  ...head(
    'Authorization Error',
    'not-authorized-for-resource',
    msg`Sorry, you are not authorized to see the ${word(resource.noun)} with ${word(resource.parameter)}: [${resource.value}].`,
    naming,
  ),
  ...about(resource, naming),
  section,
})

/** The resource is a suspended user, which exists but is not shown. */
export const suspendedProblem = (resource: ResourceReference, naming: Naming): ResourceProblem => ({
  ...head(
    'Forbidden',
    'resource-unavailable',
    msg`${word(resource.noun)} has been suspended: [${resource.value}].`,
    naming,
  ),
  ...about(resource, naming),
})

/** The caller may not read a field of a resource that is otherwise visible. */
export const fieldProblem = (
  field: Pick<ResourceReference, 'type' | 'noun'> & { id: string; member: string },
  section: Section,
  naming: Naming,
): ResourceProblem => ({
  ...head(
    'Field Authorization Error',
    'not-authorized-for-field',
    msg`Sorry, you are not authorized to access '${word(field.member)}' on the ${word(field.noun)} with id: [${field.id}].`,
    naming,
  ),
  field: naming.vocabulary.name(field.member),
  resource_id: field.id,
  resource_type: field.type,
  section,
})
