import { createHash } from 'node:crypto'
import { Html, html } from './html.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c22; --paper: #fff; --quiet: #5a5a66; --line: #c9c9d2; --strong: #1d4ed8; --bad: #b42318 }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --paper: #17171c; --quiet: #a9a9b5; --line: #44444f; --strong: #8ab4ff; --bad: #ff9b8f } }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 26rem; margin: 0 auto }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The headers of every page: nothing from elsewhere, no frames, no scripts. */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      `form-action ${["'self'", ...formTargets].join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** A whole page around its content. */
export function layout(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text
}

/** A page for a refusal. */
export function errorPage(heading: string, explanation: string): string {
  return layout(heading, html`<h1>${heading}</h1>\n<p role="alert">${explanation}</p>`)
}
