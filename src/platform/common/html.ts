/** Text that is already HTML. Only `html` and constants of the pages create it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/**
 * A template whose values are escaped unless they are HTML. Lists are concatenated; undefined is
 * omitted.
 */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  let text = parts[0] as string
  for (let i = 0; i < values.length; i++) text += inner(values[i]) + (parts[i + 1] as string)
  return new Html(text)
}

/**
 * A whole document. `style` is inserted unchanged, because a content security policy contains its
 * hash.
 */
export const htmlDocument = ({ title, style, body }: { title: string; style: string; body: Html }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.text

function inner(value: unknown): string {
  if (value === undefined || value === null || value === false) return ''
  if (Array.isArray(value)) return value.map(inner).join('')
  return value instanceof Html ? value.text : escapeHtml(String(value))
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
