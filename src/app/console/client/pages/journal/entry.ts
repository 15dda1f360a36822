import type { SignatureAnalysis } from '../../parts/signature.tsx'

/** An entry of the journal in a list. */
export interface Summary {
  readonly id: string
  readonly sequence: number
  readonly kind: 'request' | 'outgoing' | 'stream'
  readonly time: string
  readonly host?: string
  readonly route: string
  readonly method: string
  readonly url: string
  readonly caller?: { readonly kind: string; readonly app_id?: string; readonly user_id?: string }
  readonly status?: number
  readonly failure?: string
  readonly duration_ms: number
  readonly error?: { readonly cause: string; readonly detail: string }
  readonly stream?: { readonly lines: number; readonly open: boolean; readonly ended_after_ms?: number }
}

interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  readonly body_bytes?: number
  readonly body_omitted?: string
}

/** An entry with everything. */
export interface Entry extends Summary {
  readonly request: Message
  readonly response: Message
  readonly explanation: readonly string[]
  readonly signature?: SignatureAnalysis
}

export type { Message }

/** What a reader looks for. Empty texts are no conditions. */
export interface Filter {
  readonly text: string
  readonly kind: string
  readonly host: string
  readonly status: string
  readonly route: string
}

export const NO_FILTER: Filter = { text: '', kind: '', host: '', status: '', route: '' }

/** The query of a call that lists or follows entries. */
export function queryOf(filter: Filter, more: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries({ ...filter, ...more }).filter(([, value]) => value !== '')
  return new URLSearchParams(pairs).toString()
}
