import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { after } from '../timers.ts'
import { Scrolled } from './scrolled.tsx'

const SHOWN_MS = 1_500
/** Larger texts are shown without colors. */
const MAX_COLORED = 60_000

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g

/** JSON with colors. Ids of 64 bits keep their digits, because numbers are never parsed. */
function colored(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS)) {
    const [whole, string, colon, number] = match
    parts.push(text.slice(end, match.index))
    const kind = string === undefined ? (number === undefined ? 'word' : 'number') : colon ? 'name' : 'string'
    parts.push(<span class={`json-${kind}`}>{string ?? whole}</span>, colon ?? '')
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}

/** JSON text with line breaks; any other text as it is. */
function prettyText(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  return indented(text)
}

/** Adds line breaks to JSON without parsing its numbers. */
function indented(text: string): string {
  let result = ''
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      result += token + line()
    } else if (token === '}' || token === ']') {
      depth--
      const isEmpty = /[{[]\s*$/.test(result)
      result = isEmpty ? result.trimEnd() + token : result + line() + token
    } else if (token === ',') result += token + line()
    else result += token === ':' ? ': ' : token
  }
  return result
}

interface CodeProps {
  /** Names the block for screen readers. */
  readonly label: string
  readonly text: string
  /** Whether to show it as JSON, with line breaks. */
  readonly json?: boolean
  readonly copies?: boolean
}

/** A block of text in a fixed width, with a button that copies it. */
export function Code({ label, text, json, copies = true }: CodeProps): JSX.Element {
  const shown = json ? prettyText(text) : text
  return (
    <div class="code">
      <Scrolled label={label} class="code-text">
        <pre>{json && shown.length <= MAX_COLORED ? colored(shown) : shown}</pre>
      </Scrolled>
      {copies && <CopyButton text={shown} label={`Copy: ${label}`} />}
    </div>
  )
}

/** Copies a text. Where the browser does not allow it, nothing happens. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): JSX.Element {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    after(SHOWN_MS, () => setDone(false))
  }
  return (
    <button
      type="button"
      class="icon-button copy"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  )
}

/** Two columns: names and values. */
export const Facts = ({
  of,
}: {
  of: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
}) => (
  <dl class="facts">
    {of.map(([name, value], place) => (
      // The rows of a list of facts keep their places.
      <div key={typeof name === 'string' ? name : place}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The status of a reply, with its color. */
export function Status({ of }: { of: number | undefined }): JSX.Element {
  if (of === undefined) return <span class="badge">open</span>
  const kind = of >= 500 ? 'bad' : of >= 400 ? 'warn' : of >= 300 ? '' : 'good'
  return <span class={`badge ${kind}`}>{of}</span>
}

export const Method = ({ of }: { of: string }) => <span class={`method ${of.toLowerCase()}`}>{of}</span>
