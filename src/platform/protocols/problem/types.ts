import { type TSchema, Type } from 'typebox'
import { component, longNumber } from '../../http/schema.ts'

/** A subtype of Problem Details: its `type`, and the members that it adds (interface, Errors). */
export interface ProblemType {
  /** The slug in `{problem_base}/2/problems/<slug>`; undefined for `about:blank`. */
  slug: string | undefined
  /** The name of its component in the documents. */
  component: string
  /** The constant value that is sent. */
  title?: string
  description: string
  fields: Readonly<Record<string, TSchema>>
}

const RESOURCES = ['user', 'post', 'media', 'list', 'space'] as const
const SECTIONS = ['data', 'includes'] as const

const text = (description: string) => Type.String({ description })
const nonEmpty = (description: string) => Type.String({ minLength: 1, description })
const oneOf = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Enum(values, { description })
const optional = Type.Optional

const resourceId = text('The resource that the Problem is about.')
const resourceType = component('ResourceType', oneOf(RESOURCES, 'Type of the resource.'))
export const anyResourceType = component(
  'AnyResourceType',
  oneOf(
    [
      ...RESOURCES,
      'place',
      'poll',
      'note',
      'dm_event',
      'news',
      'bookmark_folder',
      'article',
      'like_with_post_author',
      'broadcast',
      'broadcast_chat_message',
      'chat_conversation',
      'chat_message_event',
      'public_key',
      'compliance_job',
      'community',
      'topic',
    ],
    'Type of the resource.',
  ),
)
export const section = oneOf(SECTIONS, 'Part of the reply that would have held it.')
const parameter = nonEmpty('Parameter that named the resource.')

/** One wrong parameter, or one rule that was broken. */
export const ParameterError = Type.Object({
  message: Type.String(),
  parameters: optional(
    Type.Unsafe<Record<string, string[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'Each invalid parameter with its values as they were sent.',
    }),
  ),
  code: optional(Type.Integer()),
})

/**
 * Every subtype of the interface, in its order, followed by those that are only known from
 * published bodies.
 */
export const problemTypes: readonly ProblemType[] = [
  {
    slug: undefined,
    component: 'Problem',
    description:
      'A problem without a specific type. Some problems include a legacy error with its code in `errors`.',
    fields: { errors: optional(Type.Array(ParameterError, { minItems: 1 })) },
  },
  {
    slug: 'client-disconnected',
    component: 'ClientDisconnectedProblem',
    description: 'The client closed the stream.',
    fields: {},
  },
  {
    slug: 'client-forbidden',
    component: 'ClientForbiddenProblem',
    title: 'Client Forbidden',
    description: 'The app may not use this endpoint.',
    fields: {
      reason: optional(oneOf(['official-client-forbidden', 'client-not-enrolled'], 'Reason.')),
      client_id: optional(text('The app.')),
      registration_url: optional(Type.String({ format: 'uri', description: 'URL for enrollment.' })),
    },
  },
  {
    slug: 'conflict',
    component: 'ConflictProblem',
    description: 'A job cannot be created while one is running.',
    fields: {},
  },
  {
    slug: 'disallowed-resource',
    component: 'DisallowedResourceProblem',
    description: 'The resource is withheld.',
    fields: { resource_id: resourceId, resource_type: resourceType, section },
  },
  {
    slug: 'duplicate-rules',
    component: 'DuplicateRulesProblem',
    description: 'The rule exists already.',
    fields: { id: optional(text('Id of the rule that exists.')), value: optional(text('The rule.')) },
  },
  {
    slug: 'invalid-request',
    component: 'InvalidRequestProblem',
    title: 'Invalid Request',
    description: 'Parameters or members of the body are invalid. `errors` names each of them.',
    fields: { errors: optional(Type.Array(ParameterError, { minItems: 1 })) },
  },
  {
    slug: 'invalid-rules',
    component: 'InvalidRulesProblem',
    description: 'A rule cannot be parsed.',
    fields: {},
  },
  {
    slug: 'noncompliant-rules',
    component: 'NoncompliantRulesProblem',
    description: 'A rule uses an operator that the app may not use.',
    fields: {},
  },
  {
    slug: 'not-authorized-for-field',
    component: 'FieldUnauthorizedProblem',
    title: 'Field Authorization Error',
    description: 'The caller may not read this field.',
    fields: { field: text('The field.'), resource_type: resourceType, section },
  },
  {
    slug: 'not-authorized-for-resource',
    component: 'ResourceUnauthorizedProblem',
    title: 'Authorization Error',
    description: 'The caller may not see the resource.',
    fields: {
      value: text('Value as it was requested.'),
      resource_id: resourceId,
      resource_type: resourceType,
      section,
      parameter: text('Parameter that named the resource.'),
    },
  },
  {
    slug: 'operational-disconnect',
    component: 'OperationalDisconnectProblem',
    description: 'The server ended the stream.',
    fields: {
      disconnect_type: optional(
        oneOf(
          [
            'OperationalDisconnect',
            'UpstreamOperationalDisconnect',
            'ForceDisconnect',
            'UpstreamUncleanDisconnect',
            'SlowReader',
            'InternalError',
            'ClientApplicationStateDegraded',
            'InvalidRules',
          ],
          'Reason.',
        ),
      ),
    },
  },
  {
    slug: 'resource-not-found',
    component: 'ResourceNotFoundProblem',
    title: 'Not Found Error',
    description: 'The resource does not exist.',
    fields: {
      parameter,
      value: text('Value as it was requested.'),
      resource_id: resourceId,
      resource_type: anyResourceType,
    },
  },
  {
    slug: 'resource-unavailable',
    component: 'ResourceUnavailableProblem',
    description: 'The resource is currently unavailable.',
    fields: { parameter, resource_id: resourceId, resource_type: resourceType },
  },
  {
    slug: 'rule-cap',
    component: 'RuleCapProblem',
    description: 'The maximum number of rules has been reached.',
    fields: {},
  },
  {
    slug: 'rule-length',
    component: 'RuleLengthProblem',
    description: 'A rule is too long.',
    fields: {},
  },
  {
    slug: 'streaming-connection',
    component: 'StreamingConnectionProblem',
    description: 'The stream cannot be opened.',
    fields: {
      connection_issue: optional(
        oneOf(
          ['TooManyConnections', 'ProvisioningSubscription', 'RuleConfigurationIssue', 'RulesInvalidIssue'],
          'Reason.',
        ),
      ),
    },
  },
  {
    slug: 'unsupported-authentication',
    component: 'UnsupportedAuthenticationProblem',
    title: 'Unsupported Authentication',
    description:
      'The endpoint does not accept this kind of authentication; `detail` names the kinds that it accepts.',
    fields: {},
  },
  {
    slug: 'usage-capped',
    component: 'UsageCappedProblem',
    title: 'UsageCapExceeded',
    description: 'A usage cap of the plan has been reached.',
    fields: {
      period: optional(oneOf(['Daily', 'Monthly'], 'Period of the cap.')),
      scope: optional(oneOf(['Account', 'Product'], 'Scope of the cap.')),
      account_id: optional(longNumber('The owner of the app.')),
      product_name: optional(text('The plan.')),
    },
  },
  {
    slug: 'oauth1-permissions',
    component: 'OAuth1PermissionsProblem',
    title: 'Forbidden',
    description: 'The permission level of the access token does not cover the endpoint.',
    fields: { errors: optional(Type.Array(ParameterError, { minItems: 1 })) },
  },
]

/** The subtype of a slug. Throws for an unknown slug, because every slug in use is in the table. */
export function problemType(slug: string | undefined): ProblemType {
  const found = problemTypes.find((type) => type.slug === slug)
  if (!found) throw new Error(`the table of Problem subtypes has no ${slug}`)
  return found
}
