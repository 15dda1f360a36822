import { ApiError } from '../../../platform/http/errors.ts'

/** A parameter that this call requires. Throws an error that names it when it is absent or empty. */
export function required(name: string, value: string | undefined): string {
  if (value) return value
  throw new ApiError('bad request', {
    violations: [{ place: 'form', name, value, fault: { kind: 'missing' } }],
  })
}
