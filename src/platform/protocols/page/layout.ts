import { createHash } from 'node:crypto'
import { type Html, html, htmlDocument } from '../../common/html.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b22; --quiet: #5b5b68; --ground: #f3f3f6; --paper: #fff; --line: #dcdce3; --edge: #83838f; --strong: #1d4ed8; --strong-hover: #1a43b8; --on-strong: #fff; --tint: #eef2fd; --bad: #a61b12; --bad-tint: #fdf0ee }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --quiet: #a9a9b6; --ground: #101014; --paper: #1a1a20; --line: #33333d; --edge: #7d7d8b; --strong: #8fb4ff; --strong-hover: #b0caff; --on-strong: #0c1530; --tint: #232a3c; --bad: #ffa79c; --bad-tint: #3a2020 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; padding: clamp(1rem, 6vh, 4.5rem) 1rem 2rem; font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere }
header { margin-bottom: 1rem; font-weight: 650; letter-spacing: .01em; color: var(--quiet) }
main { width: 100%; max-width: 32rem; padding: clamp(1.25rem, 6vw, 2.25rem); background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 32px -16px rgb(0 0 0 / .18) }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 680; letter-spacing: -.012em; text-wrap: balance }
h2 { margin: 1.5rem 0 .375rem; font-size: .9375rem; font-weight: 650 }
p { margin: 0 0 1rem }
main > :last-child { margin-bottom: 0 }
.quiet { color: var(--quiet); font-size: .9375rem }
a { color: var(--strong); text-underline-offset: .18em }
ul { margin: 0; padding: 0; list-style: none }
li { position: relative; padding: .1875rem 0 .1875rem 1.75rem }
li::before { position: absolute; left: .25rem; font-weight: 700 }
.may li::before { content: "\\2713" / ""; color: var(--strong) }
.may-not li { color: var(--quiet) }
.may-not li::before { content: "\\2715" / "" }
.account { display: flex; gap: .75rem; align-items: center; margin: 1.25rem 0 0; padding: .75rem .875rem; background: var(--tint); border-radius: .75rem; font-size: .9375rem; line-height: 1.45 }
.initial { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; display: grid; place-items: center; font-weight: 680; background: var(--strong); color: var(--on-strong) }
label { display: block; margin: 1rem 0 .3125rem; font-weight: 600; font-size: .9375rem }
input, select, textarea { width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .625rem }
input[aria-invalid] { border-color: var(--bad) }
.buttons { display: flex; flex-direction: column; gap: .625rem; margin: 1.75rem 0 1rem }
form:last-child .buttons { margin-bottom: 0 }
.after { margin: 1rem 0 0 }
.buttons.pinned { position: sticky; bottom: 0; flex-direction: row; margin: .75rem 0 0; padding: .75rem 0 .25rem; background: var(--paper) }
.pinned button { flex: 1 }
html { scroll-padding-bottom: 5rem }
.granted { margin: 1.25rem 0; padding-top: .25rem; border-top: 1px solid var(--line) }
.granted button { margin-top: .5rem }
.granted p { margin: 0 0 .5rem }
.notice { margin: 1rem 0 0; padding: .75rem .875rem; background: var(--tint); border-radius: .375rem }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
button { min-height: 2.875rem; padding: .5rem 1rem; font: inherit; font-weight: 620; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: .625rem; cursor: pointer }
button:hover { background: var(--tint) }
button.primary { color: var(--on-strong); background: var(--strong); border-color: transparent }
button.primary:hover { background: var(--strong-hover) }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px }
.problem { margin: 0; padding: .75rem .875rem; color: var(--bad); background: var(--bad-tint); border-left: 4px solid var(--bad); border-radius: .375rem }
pre { margin: .375rem 0; padding: .5rem .75rem; max-height: 20rem; overflow: auto; white-space: pre-wrap; background: var(--tint); border-radius: .375rem; font: .875rem/1.45 ui-monospace, "Liberation Mono", monospace }
ol { margin: 0 0 .75rem; padding-left: 1.25rem }
ol li { padding: .1875rem 0 }
.pin { margin: 1.5rem 0; padding: 1rem .5rem; text-align: center; font: 680 clamp(1.75rem, 10vw, 2.5rem)/1.2 ui-monospace, "Liberation Mono", monospace; letter-spacing: .12em; background: var(--tint); border-radius: .75rem; user-select: all }
@media (forced-colors: active) { main, .account, .problem, .pin { border: 1px solid } }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/**
 * The headers of every page: no external content, no frames, no scripts. `formTargets` are the
 * additional targets of forms, besides this server, as content security policy sources.
 */
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
    // Not `no-referrer`: browsers would then omit the origin from our own forms, and we check it.
    'referrer-policy': 'same-origin',
  }
}

/** A complete page around its content. */
export const layout = (title: string, content: Html): string =>
  htmlDocument({ title, style: STYLE, body: html`<header>Plaza</header>\n<main>\n${content}\n</main>` })

/** A page for an error. */
export function errorPage(heading: string, explanation: string): string {
  return layout(heading, html`<h1>${heading}</h1>\n<p role="alert">${explanation}</p>`)
}
