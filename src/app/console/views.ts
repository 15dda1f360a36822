import { activityKinds } from '../../delivery/activities/kinds/kinds.ts'
import type { LoggedAttempt } from '../../delivery/webhooks/attempt.ts'
import { attemptsOf, signaturesOf } from '../../delivery/webhooks/listing.ts'
import type { DeliveryRow, WebhookRow } from '../../delivery/webhooks/tables.ts'
import { type Html, html } from '../../platform/common/html.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { layout } from '../../platform/protocols/page/layout.ts'

const REFERENCE = html`<a href="/reference">Reference of the API</a>`

const HOME = html`<p class="after"><a href="/">Webhooks</a> · <a href="/emit">Emit an event</a> · ${REFERENCE}</p>`

const problem = (text: string | undefined) => text && html`<p class="problem" role="alert">${text}</p>`

export const signInView = (failed: boolean): string =>
  layout(
    'Sign in – Console',
    html`<h1>Console</h1>
${problem(failed ? 'The key is invalid or has expired.' : undefined)}
<p>Run <code>plaza console</code> on this machine: it prints a key.</p>
<form method="post" action="/sign-in">
<label for="key">Key</label>
<input id="key" name="key" type="password" autocomplete="off" maxlength="200" required autofocus>
<div class="buttons"><button class="primary">Sign in</button></div>
</form>
<p class="after">${REFERENCE}</p>`,
  )

/** `next`: the path of the next page. */
export const webhooksView = (webhooks: readonly WebhookRow[], next: string | undefined): string =>
  layout(
    'Webhooks – Console',
    html`<h1>Webhooks</h1>
${webhooks.length === 0 && html`<p>There is no webhook: POST /2/webhooks makes one.</p>`}
${webhooks.map(
  ({ id, url, valid, app_id }) => html`<h2><a href="/webhooks/${id}">${url}</a></h2>
<p class="quiet">Webhook ${id} of app ${app_id}${valid === 0 && ', not valid'}</p>`,
)}
${more(next)}
${HOME}`,
  )

const more = (next: string | undefined) => next && html`<p><a href="${next}">More</a></p>`

export interface DeliveriesPage {
  readonly webhook: { readonly id: string; readonly url: string }
  /** Why a delivery was not sent again. */
  readonly failed?: string | undefined
  readonly deliveries: readonly DeliveryRow[]
  readonly next: string | undefined
  readonly formToken: string
  readonly signatureHeader: string
}

export const deliveriesView = (page: DeliveriesPage): string =>
  layout(
    'Deliveries – Console',
    html`<h1>Deliveries</h1>
${problem(page.failed)}
<p class="quiet">To ${page.webhook.url}, newest first.</p>
${page.deliveries.length === 0 && html`<p>There are none.</p>`}
${page.deliveries.map((one) => deliveryView(one, page))}
${more(page.next)}
${HOME}`,
  )

const deliveryView = (row: DeliveryRow, { webhook, formToken, signatureHeader }: DeliveriesPage) =>
  html`<section class="granted" aria-label="Delivery ${row.seq}">
<h2>Delivery ${row.seq}: ${row.state}</h2>
<p class="quiet">Event ${row.event_id}, ${isoTime(row.created_at)}</p>
<ol>${attemptsOf(row).map(attemptView)}</ol>
<details><summary>What was sent</summary>
${signaturesOf(row).map((one) => html`<p>${signatureHeader}: ${one}</p>`)}
<pre>${row.body}</pre>
</details>
<form method="post" action="/webhooks/${webhook.id}/deliveries/${row.seq}/resend">
<input type="hidden" name="form_token" value="${formToken}">
<button>Send again</button>
</form>
</section>`

const attemptView = ({ at, ms, status, error, answer }: LoggedAttempt): Html =>
  html`<li>${isoTime(at)}: ${status ?? error} after ${ms} ms${answer && html`<pre>${answer}</pre>`}</li>`

export interface EmitPage {
  readonly formToken: string
  readonly vocabulary: Vocabulary
  /** The values entered in the form. */
  readonly typed: Readonly<Record<string, string | undefined>>
  readonly failed?: string
  /** The type of the emitted event. */
  readonly emitted?: string
}

const field = (name: string, label: string, typed: EmitPage['typed']) =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${typed[name]}" maxlength="1000">`

export const emitView = ({ formToken, vocabulary, typed, failed, emitted }: EmitPage): string =>
  layout(
    'Emit an event – Console',
    html`<h1>Emit an event</h1>
${problem(failed)}
${emitted && html`<p class="notice" role="status">Emitted ${emitted}: those who subscribed receive it.</p>`}
<form method="post" action="/emit">
<input type="hidden" name="form_token" value="${formToken}">
<label for="event_type">Event type</label>
<select id="event_type" name="event_type">${activityKinds.map(({ name }) => {
      const shown = vocabulary.name(name)
      return html`<option${shown === typed.event_type && html` selected`}>${shown}</option>`
    })}</select>
${field('user', 'User', typed)}
${field('text', 'Text in which keywords are searched, for news', typed)}
${field('app', 'App id, for events about an app', typed)}
<label for="direction">Direction</label>
<select id="direction" name="direction">${['', 'inbound', 'outbound'].map(
      (one) =>
        html`<option value="${one}"${one === (typed.direction ?? '') && html` selected`}>${one || 'both'}</option>`,
    )}</select>
<label for="payload">Members of the payload as JSON, which replace the generated ones</label>
<textarea id="payload" name="payload" rows="6" maxlength="50000">${typed.payload}</textarea>
<div class="buttons"><button class="primary">Emit</button></div>
</form>
${HOME}`,
  )
