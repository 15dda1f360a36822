import { createHash } from 'node:crypto'
import { type Html, html, htmlDocument } from '../../../platform/common/html.ts'
import { instantText } from '../../../platform/common/instant.ts'
import { type BytesReply, bytes } from '../../../platform/http/reply-kinds.ts'
import type { PreviewedCard, PreviewedPost } from './post.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b22; --quiet: #5b5b68; --paper: #fff; --line: #dcdce3; --strong: #1d4ed8; --tint: #eef2fd }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --quiet: #a9a9b6; --paper: #1a1a20; --line: #33333d; --strong: #8fb4ff; --tint: #232a3c } }
* { box-sizing: border-box }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
article { max-width: 36rem; margin: 0 auto; padding: 1rem; border: 1px solid var(--line); border-radius: 1rem }
p, ul { margin: 0 0 .75rem }
.text { white-space: pre-wrap }
.quiet { color: var(--quiet); font-size: .9375rem; margin: 0 }
a, .tag { color: var(--strong) }
.media { display: grid; grid-template-columns: repeat(auto-fit, minmax(45%, 1fr)); gap: .25rem; margin-bottom: .75rem }
img, video { display: block; width: 100%; border-radius: .75rem }
.card { display: block; margin-bottom: .75rem; border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; color: inherit; text-decoration: none }
.card > div { padding: .75rem }
.card ul { list-style: none; padding: 0 }
.card li, .button { margin-top: .5rem; padding: .375rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--tint) }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** A page that any site may embed in a frame: no scripts, and only media of this service. */
function pageOf(status: number, title: string, content: Html, mediaOrigin: string): BytesReply {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `img-src ${mediaOrigin}`,
    `media-src ${mediaOrigin}`,
    "form-action 'none'",
    "base-uri 'none'",
    'frame-ancestors *',
  ]
  return bytes({
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
    },
    body: htmlDocument({ title, style: STYLE, body: content }),
  })
}

/** The page of an invalid (404) or expired (410) preview. */
export const missingPage = (status: 404 | 410, sentence: string, mediaOrigin: string) =>
  pageOf(status, sentence, html`<article><p class="quiet">${sentence}</p></article>`, mediaOrigin)

/** A post as its readers would see it. */
export function postPage(
  post: PreviewedPost,
  card: PreviewedCard | undefined,
  mediaOrigin: string,
): BytesReply {
  const { user } = post
  return pageOf(
    200,
    `Preview of a post by ${user.name}`,
    html`<article>
<p><strong><bdi>${user.name}</bdi></strong> <span class="quiet">@${user.screen_name}</span></p>
<p class="text" dir="auto" lang="${post.lang}">${textOf(post)}</p>
${mediaOf(post)}
${card && cardOf(card)}
<p class="quiet">${whenOf(post)}</p>
</article>`,
    mediaOrigin,
  )
}

function whenOf({ post_type, created_at, scheduled_at }: PreviewedPost): string {
  if (post_type === 'DRAFT') return 'Draft'
  return scheduled_at === null ? created_at : `Scheduled for ${instantText(scheduled_at)}`
}

/** The text with its links, hashtags and names. Indices count code points. */
function textOf({ full_text = '', entities }: PreviewedPost): Html[] {
  const characters = [...full_text]
  const marks = [
    ...entities.urls.map(({ expanded_url, display_url, indices }) => ({
      indices,
      shown: () => html`<a href="${expanded_url}" rel="noopener nofollow" target="_blank">${display_url}</a>`,
    })),
    ...[...entities.hashtags, ...entities.symbols, ...entities.user_mentions].map(({ indices }) => ({
      indices,
      shown: (text: string) => html`<span class="tag">${text}</span>`,
    })),
  ].sort((a, b) => (a.indices[0] ?? 0) - (b.indices[0] ?? 0))
  const parts: Html[] = []
  let at = 0
  for (const { indices, shown } of marks) {
    const [start = 0, end = 0] = indices
    if (start < at) continue
    parts.push(html`${characters.slice(at, start).join('')}`, shown(characters.slice(start, end).join('')))
    at = end
  }
  return [...parts, html`${characters.slice(at).join('')}`]
}

function mediaOf({ extended_entities }: PreviewedPost): Html | undefined {
  if (!extended_entities) return undefined
  const shown = extended_entities.media.map((medium) => {
    const video = medium.video_info?.variants[0]?.url
    return medium.type === 'video' && video
      ? html`<video controls preload="none" src="${video}"${medium.media_url && html` poster="${medium.media_url}"`}></video>`
      : medium.media_url && html`<img src="${medium.media_url}" alt="">`
  })
  return html`<div class="media">${shown}</div>`
}

const IMAGES = ['image', 'wide_app_image', 'video_poster_url', 'poster_media_url', 'media_url']
const CHOICES = [
  ...['first_choice', 'second_choice', 'third_choice', 'fourth_choice'],
  ...['first_cta', 'second_cta', 'third_cta', 'fourth_cta'],
]

function cardOf(card: PreviewedCard): Html {
  const text = (name: string) => {
    const value = card[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const image = IMAGES.map(text).find((value) => value !== undefined)
  const choices = CHOICES.map(text).filter((value) => value !== undefined)
  const label = text('app_cta')
  const inside = html`${image && html`<img src="${image}" alt="">`}
<div><strong>${text('title') ?? card.name ?? text('url')}</strong>
${text('website_display_url') && html`<p class="quiet">${text('website_display_url')}</p>`}
${choices.length > 0 && html`<ul>${choices.map((choice) => html`<li>${choice}</li>`)}</ul>`}
${label && html`<span class="button">${label.replaceAll('_', ' ')}</span>`}</div>`
  const url = text('website_url') ?? text('url')
  return url
    ? html`<a class="card" href="${url}" rel="noopener nofollow" target="_blank">${inside}</a>`
    : html`<div class="card">${inside}</div>`
}
