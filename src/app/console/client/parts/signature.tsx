import type { JSX } from 'preact'
import { CopyButton } from './code.tsx'
import { Scrolled } from './scrolled.tsx'

/** A signature beside the expected one, as the admin API explains it. */
export interface SignatureAnalysis {
  readonly matches: boolean
  readonly expected_base_string: string
  readonly client_base_string?: string
  readonly mistakes: readonly string[]
  readonly first_difference?: number
}

/** Whether a signature is right; if not, what the client did wrong and what it must sign. */
export function SignatureView({ of: analysis }: { of: SignatureAnalysis }): JSX.Element {
  const { matches, mistakes, expected_base_string: expected, client_base_string: client } = analysis
  return (
    <div class="stack">
      {matches ? (
        <p class="note good">The signature is right.</p>
      ) : (
        <div class="note bad">
          <p>
            <strong>The signature is wrong.</strong>
          </p>
          {mistakes.length === 0 ? (
            <p>
              No common mistake explains it. Compare the string that your client signs with the expected one.
            </p>
          ) : (
            <ul>
              {mistakes.map((mistake) => (
                <li key={mistake}>{mistake}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      <BaseString title="Expected base string" text={expected} at={analysis.first_difference} kind="good" />
      {client !== undefined && (
        <BaseString
          title="Base string of the client"
          text={client}
          at={analysis.first_difference}
          kind="bad"
        />
      )}
    </div>
  )
}

interface BaseStringProps {
  readonly title: string
  readonly text: string
  /** Where it begins to differ from the other one. */
  readonly at: number | undefined
  readonly kind: 'good' | 'bad'
}

/** The difference is underlined as well, for those who do not see its color. */
function BaseString({ title, text, at, kind }: BaseStringProps): JSX.Element {
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      <div class="code">
        <Scrolled label={title} class="code-text breaks">
          <pre>
            {at === undefined ? text : text.slice(0, at)}
            {at !== undefined && <mark class={kind}>{text.slice(at)}</mark>}
          </pre>
        </Scrolled>
        <CopyButton text={text} label={`Copy: ${title}`} />
      </div>
    </div>
  )
}
