import type { FastifyInstance } from 'fastify'
import { html } from '../../platform/common/html.ts'
import { type ClientFiles, loadClient } from './client-files.ts'

/** The first segments of the application's paths. Its script shows the page of a path. */
const SECTIONS = [
  'sign-in',
  'clock',
  'data',
  'explorer',
  'faults',
  'journal',
  'signature',
  'snapshots',
  'streams',
  'webhooks',
] as const

/** What the script and the style sheet are served under. */
const FOLDER = '/console'

/**
 * Mounts the application: the same document at the path of every page, its script and its style
 * sheet. They contain no data, so everyone who reaches the console may read them.
 */
export function mountApplication(server: FastifyInstance): void {
  const page = async () => pageOf(await loadClient())
  for (const path of ['/', ...SECTIONS.flatMap((section) => [`/${section}`, `/${section}/*`])])
    server.get(path, { exposeHeadRoute: true }, async (_request, reply) =>
      reply
        .headers(PAGE_HEADERS)
        .type('text/html; charset=utf-8')
        .send(await page()),
    )
  server.get(`${FOLDER}/:name`, { exposeHeadRoute: true }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const { files } = await loadClient()
    const file = files.get(name)
    if (!file) return reply.code(404).send({ status: 'not found' })
    // Its name has a hash of its content.
    return reply
      .headers({ ...SHARED_HEADERS, 'cache-control': 'public, max-age=31536000, immutable' })
      .type(file.type)
      .send(file.text)
  })
}

const SHARED_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' }

const PAGE_HEADERS = {
  ...SHARED_HEADERS,
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%231d4ed8'%3E%3Cpath d='M3 21V10l9-7 9 7v11h-6v-5a3 3 0 0 0-6 0v5z'/%3E%3C/svg%3E"

const pageOf = ({ script, style }: ClientFiles): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Plaza</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${FOLDER}/${style}">
<script type="module" src="${FOLDER}/${script}"></script>
</head>
<body><noscript>The console needs JavaScript. The command line does the same: run plaza help.</noscript></body>
</html>
`.text
