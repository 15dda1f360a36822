import { Type } from 'typebox'
import { type BytesReply, bytes } from '../../platform/http/reply-kinds.ts'
import { pageHeaders } from '../../platform/protocols/page/layout.ts'
import { MAX_FORM_BYTES } from './parameters.ts'

/** The reply of an endpoint that returns a page or a redirect. */
export const page = Type.Unsafe<never>({ type: 'string', description: 'A page for the browser.' })

/** The common options of endpoints that receive the forms of pages. */
export const pageForm = {
  host: 'core',
  method: 'POST',
  description: 'Receives the forms of the page, which only the page can send.',
  source: 'OAuth endpoints',
  auth: ['none'],
  limits: { address: '180/15m' },
  maxBodyBytes: MAX_FORM_BYTES,
  replyKind: 'page',
  reply: page,
  hidden: true,
} as const

/** A page. `targets` are the additional targets of its forms, besides this server. */
export function shown(
  body: string,
  more: { status?: number; targets?: readonly string[]; cookies?: readonly string[] } = {},
): BytesReply {
  const headers = { ...pageHeaders(more.targets), ...(more.cookies && { 'set-cookie': more.cookies }) }
  return bytes({ status: more.status ?? 200, headers, body })
}

/** Redirects the browser to an app. */
export const found = (location: string): BytesReply => redirect(302, location)

/** Redirects the browser to another page of ours, after a form. */
export const seeOther = (location: string, cookies: readonly string[]): BytesReply => {
  const reply = redirect(303, location)
  return { ...reply, headers: { ...reply.headers, 'set-cookie': cookies } }
}

const redirect = (status: number, location: string): BytesReply =>
  bytes({ status, headers: { ...pageHeaders(), location }, body: '' })
