import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'

/** A Problem inside the `errors` of a reply (interface, Problem object). */
export const ProblemSchema = component(
  'ReportedProblem',
  Type.Object(
    {
      title: Type.String(),
      type: Type.String({ description: 'A URI that names the subtype, or about:blank.' }),
      detail: Type.Optional(Type.String()),
      status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            parameters: Type.Optional(
              Type.Object({}, { description: 'Each invalid parameter with its values.' }),
            ),
            message: Type.String(),
          }),
        ),
      ),
    },
    { additionalProperties: false },
  ),
)
