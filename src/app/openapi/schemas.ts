import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { jsonText } from '../../platform/common/exact-json.ts'
import { type JsonSchema, renamedSchema, writtenOut } from '../../platform/http/renamed-schema.ts'
import type { Schema } from '../../platform/http/schema.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'

/** The documents. The sandbox is a second server of the advertising API. */
export const DOCUMENTS = ['core', 'ads', 'admin'] as const
export type Documented = (typeof DOCUMENTS)[number]

/** A JSON object of a document. */
export type Json = Record<string, unknown>

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The named schemas of one document, collected while its operations are written. */
export class ComponentSchemas {
  readonly #vocabulary: Vocabulary
  readonly #found = new Map<string, JsonSchema>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** A schema as it appears in the document: every named schema in it is a reference. */
  of = (schema: TSchema | Schema): JsonSchema => renamedSchema(schema, this.#vocabulary, this.#referenceTo)

  /** Adds a schema under a name. Throws when another one has that name. */
  add(name: string, schema: JsonSchema): void {
    const other = this.#found.get(name)
    if (other && !isDeepStrictEqual(other, schema))
      throw new Error(`two schemas are called ${name}: ${jsonText([other, schema])}`)
    this.#found.set(name, schema)
  }

  /** A schema that is always a component. `name` is used if it has no name of its own. */
  named(name: string, schema: TSchema | Schema): JsonSchema {
    const { component } = schema as Schema
    return this.of(component ? schema : { ...(schema as Schema), component: { name } })
  }

  /** All schemas, sorted by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /**
   * The member has its description and whether it is nullable; the component has everything else.
   */
  #referenceTo = (schema: Schema): JsonSchema | undefined => {
    const { component, nullable, description, default: fallback, ...own } = schema
    if (!component) return undefined
    const about = component.description
    const bare: Schema = about === undefined ? own : { ...own, description: about }
    this.add(component.name, writtenOut(bare, this.#vocabulary, this.#referenceTo))
    const ref = schemaRef(component.name)
    const member = writtenOut(
      {
        ...(description !== undefined && { description }),
        ...(fallback !== undefined && { ...own, default: fallback }),
      },
      this.#vocabulary,
      this.#referenceTo,
    )
    return {
      ...(nullable ? { anyOf: [ref, { type: 'null' }] } : ref),
      ...(member.description !== undefined && { description: member.description }),
      ...(member.default !== undefined && { default: member.default }),
    }
  }
}
