import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { Facts } from '../parts/code.tsx'
import { Choice, Field, onSubmit } from '../parts/field.tsx'
import { Card, Empty, Notes, Page } from '../parts/page.tsx'
import { type SignatureAnalysis, SignatureView } from '../parts/signature.tsx'
import { useAction } from '../resource.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

interface Checked {
  readonly problem?: string
  readonly signature?: SignatureAnalysis
}

/** Checks a signature of OAuth 1.0a without sending the request. */
export function SignaturePage(): JSX.Element {
  const [method, setMethod] = useState('GET')
  const [url, setUrl] = useState('')
  const [authorization, setAuthorization] = useState('')
  const [form, setForm] = useState('')
  const [baseString, setBaseString] = useState('')
  const [result, setResult] = useState<Checked | undefined>()
  const check = useAction(async () => {
    setResult(undefined)
    const body = {
      ...{ method, url: url.trim(), authorization: authorization.trim().replace(/^authorization:\s*/i, '') },
      ...(form.trim() !== '' && { form: form.trim() }),
      ...(baseString.trim() !== '' && { base_string: baseString.trim() }),
    }
    setResult((await call<{ data: Checked }>('POST', '/signature-check', { body })).data)
    return undefined
  })
  return (
    <Page
      title="Signature checker"
      about="Paste what your client sent. Plaza checks the signature as the API does, and shows what it should have signed. Timestamp and nonce are not checked, and nothing is sent."
    >
      <div class="split">
        <Card title="Request">
          <form onSubmit={onSubmit(() => void check.run())}>
            <div class="pair">
              <Choice label="Method" value={method} onValue={setMethod} options={METHODS} />
              <Field
                label="URL"
                type="url"
                value={url}
                onValue={setUrl}
                required
                mono
                placeholder="https://…"
              />
            </div>
            <Field
              label="Authorization header"
              value={authorization}
              onValue={setAuthorization}
              rows={6}
              required
              mono
              placeholder={'OAuth oauth_consumer_key="…", oauth_nonce="…", …'}
            />
            <Field
              label="Form body"
              value={form}
              onValue={setForm}
              rows={2}
              mono
              hint="Only a form (application/x-www-form-urlencoded) is signed. Leave it empty for JSON."
            />
            <Field
              label="Base string of your client"
              value={baseString}
              onValue={setBaseString}
              rows={3}
              mono
              hint="Optional: with it, the first difference is marked."
            />
            <Notes error={check.error} />
            <button type="submit" class="primary" disabled={check.isRunning}>
              Check
            </button>
          </form>
        </Card>
        <div class="stack">
          <Card title="Result">
            {result?.signature && <SignatureView of={result.signature} />}
            {result?.problem && <p class="note warn">{result.problem}</p>}
            {!result && <Empty>Nothing is checked yet.</Empty>}
          </Card>
          <Parsed header={authorization} />
        </div>
      </div>
    </Page>
  )
}

/** The parameters of the header, decoded while it is typed. */
function Parsed({ header }: { header: string }): JSX.Element | null {
  const pairs = useMemo(
    () =>
      [...header.matchAll(/([A-Za-z_]+)="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, <code key={name}>{decoded(value)}</code>] as const,
      ),
    [header],
  )
  if (pairs.length === 0) return null
  return (
    <Card title="Parameters of the header">
      <Facts of={pairs} />
    </Card>
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
