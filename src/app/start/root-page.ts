import type { FastifyInstance } from 'fastify'
import { html } from '../../platform/common/html.ts'
import { layout, pageHeaders } from '../../platform/protocols/page/layout.ts'

/**
 * Greets a browser at the root of an API, where other clients get the error of an unknown path.
 * `reference` is the page of its reference on the console.
 */
export function greetBrowsers(
  listener: FastifyInstance,
  { title, path: reference }: { readonly title: string; readonly path: string },
  consoleUrl: string,
): void {
  const page = layout(
    `Plaza: ${title}`,
    html`<h1>${title}</h1>
<p>This is Plaza, a social platform's API on this machine. Programs call it; there is nothing else to see here.</p>
<p><a href="${consoleUrl}${reference}">Reference</a>: every endpoint, with its parameters, replies and errors.</p>
<p><a href="${consoleUrl}/">Console</a>: requests as they come, data, deliveries, and what steers this Plaza.</p>`,
  )
  listener.addHook('onRequest', (request, reply, done) => {
    const { method, url, headers } = request.raw
    if (url !== '/' || method !== 'GET' || !headers.accept?.includes('text/html')) return done()
    reply.headers(pageHeaders()).send(page)
  })
}
