import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import { html, htmlDocument } from '../../platform/common/html.ts'
import { VERSION } from '../../platform/common/version.ts'
import type { Naming } from '../../platform/http/contract.ts'
import type { DocumentOptions } from '../openapi/openapi.ts'
import { DOCUMENTS, type Documented } from '../openapi/schemas.ts'

export interface ReferenceParts {
  readonly endpoints: readonly Endpoint[]
  readonly naming: Naming
  readonly servers: NonNullable<DocumentOptions['servers']>
}

/** The page of each document. */
export const PAGES: Readonly<Record<Documented, { path: string; title: string }>> = {
  core: { path: '/reference', title: 'Core API and OAuth' },
  ads: { path: '/reference/ads', title: 'Advertising API' },
  admin: { path: '/reference/admin', title: 'Admin API' },
}

/** In a build these are compressed copies beside this file. */
const VIEWER_SCRIPT = new URL('../../../node_modules/swagger-ui-dist/swagger-ui-bundle.js', import.meta.url)
const VIEWER_STYLE = new URL('../../../node_modules/swagger-ui-dist/swagger-ui.css', import.meta.url)

/**
 * Mounts the reference at `/reference`: pages, the viewer's files and the documents, for everyone
 * who reaches the console.
 */
export function mountReference(server: FastifyInstance, parts: ReferenceParts): void {
  const get = (path: string, type: string, text: () => string | Promise<string>) =>
    server.get(path, { exposeHeadRoute: true }, async (_request, reply) =>
      reply
        .headers(HEADERS)
        .type(`${type}; charset=utf-8`)
        .send(await text()),
    )
  for (const name of DOCUMENTS) {
    get(PAGES[name].path, 'text/html', () => pageOf(name))
    get(`/reference/${name}.json`, 'application/json', documentOf(name, parts))
  }
  get('/reference/viewer.js', 'text/javascript', () => readViewer(VIEWER_SCRIPT))
  get('/reference/viewer.css', 'text/css', () => readViewer(VIEWER_STYLE))
  get('/reference/page.js', 'text/javascript', () => SCRIPT)
}

/** Makes a document at its first request, because that takes a while. */
function documentOf(name: Documented, { endpoints, naming, servers }: ReferenceParts): () => Promise<string> {
  let made: string | undefined
  return async () => {
    const { openApi } = await import('../openapi/openapi.ts')
    made ??= jsonText(openApi(name, endpoints, { ...naming, version: VERSION, servers, forReaders: true }))
    return made
  }
}

async function readViewer(file: URL): Promise<string> {
  const bytes = await readFile(file)
  const text = file.pathname.endsWith('.br') ? await promisify(brotliDecompress)(bytes) : bytes
  return text.toString()
}

const pageOf = (name: Documented): string =>
  htmlDocument({
    title: `${PAGES[name].title} – Plaza reference`,
    style: STYLE,
    body: html`<link rel="stylesheet" href="/reference/viewer.css">
<nav aria-label="Reference"><strong>Plaza reference</strong>
${Object.entries(PAGES).map(
  ([other, { path, title }]) =>
    html`<a href="${path}"${other === name && html` aria-current="page"`}>${title}</a>`,
)}
<a href="/">Console</a></nav>
<main id="reference"></main>
<script src="/reference/viewer.js"></script>
<script src="/reference/page.js" data-document="/reference/${name}.json"></script>`,
  })

const STYLE = `
:root { color-scheme: light dark; --ink: #3b4151; --ground: #fff; --line: #dcdce3; --strong: #1d4ed8 }
html.dark-mode { --ink: #e4e6e6; --ground: #1c2022; --line: #3f4346; --strong: #8fb4ff }
body { margin: 0; color: var(--ink); background: var(--ground) }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; max-width: 1460px; box-sizing: border-box; margin: 0 auto; padding: 1rem 20px; border-bottom: 1px solid var(--line); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif }
nav a { color: var(--strong); text-underline-offset: .18em }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
#reference .info { margin: 1.5rem 0 }
#reference .scheme-container { margin: 0; padding: 0 0 1rem; box-shadow: none }
#reference .filter { margin: 0 }
#reference .parameters-col_description :is(input, select), #reference .response-col_links, #reference .response ~ .response .headers-wrapper { display: none }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Everything comes from this server; pictures of the viewer's style sheet are in it. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${STYLE_HASH}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
}

/**
 * Starts the viewer in the browser. The search finds operations that have every word in their
 * method, path, id, summary or description. Nothing can be sent from the page: the API allows no
 * other origin, and signatures need secrets.
 */
const SCRIPT = `'use strict'
const { document: url } = document.currentScript.dataset
const dark = matchMedia('(prefers-color-scheme: dark)')
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', show)
show()

const textOf = (operation) =>
  ['operationId', 'summary', 'description']
    .map((name) => operation.getIn(['operation', name]) ?? '')
    .concat(operation.get('method'), operation.get('path'))
    .join(' ')
    .toLowerCase()

function opsFilter(areas, phrase) {
  const words = phrase.toLowerCase().split(/\\s+/)
  const isFound = (operation) => words.every((word) => textOf(operation).includes(word))
  return areas
    .map((area) => area.update('operations', (operations) => operations.filter(isFound)))
    .filter((area) => area.get('operations').size > 0)
}

const nothing = () => () => null
const search = {
  fn: { opsFilter },
  wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing },
}

SwaggerUIBundle({
  dom_id: '#reference',
  url,
  plugins: [search],
  filter: true,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  showCommonExtensions: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  onComplete() {
    const field = document.querySelector('.operation-filter-input')
    field.placeholder = 'Search operations'
    field.setAttribute('aria-label', 'Search operations')
  },
})
`
