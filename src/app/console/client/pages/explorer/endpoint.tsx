import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { sentenceOf } from '../../api.ts'
import { useIdentities } from '../../identities.ts'
import { type ApiDocument, type DocumentName, type Operation, skeletonOf } from '../../openapi.ts'
import { Method } from '../../parts/code.tsx'
import { Choice, Field, onSubmit } from '../../parts/field.tsx'
import { Card, Notes } from '../../parts/page.tsx'
import { useAction } from '../../resource.ts'
import {
  CALLERS,
  type CallerKind,
  type ExplorerReply,
  type Host,
  isUser,
  type ReadyCall,
  send,
} from './call.ts'
import { type Entries, fieldsOf, firstCaller, JSON_TYPE, readyCallOf, sendableTypes } from './form.ts'
import { Parameters } from './parameters.tsx'
import { originOf, Reply, Snippets } from './reply.tsx'

interface EndpointProps {
  readonly name: DocumentName
  readonly document: ApiDocument
  readonly operation: Operation
  /** Values that a link brings along. */
  readonly given: Readonly<Record<string, string>>
}

/** Where snippets send a call that was not sent yet. */
const ORIGINS: Readonly<Record<Host, string>> = {
  core: 'https://127.0.0.1:8443',
  ads: 'https://127.0.0.1:8444',
  sandbox: 'https://127.0.0.1:8445',
}

/** The user of the call before, so that a reader enters it once. */
let lastUser = ''

/** An endpoint as a form, and the reply. */
export function Endpoint({ name, document, operation, given }: EndpointProps): JSX.Element {
  const [entries, setEntries] = useState<Entries>(() => entriesOf(name, operation, document, given))
  const change = (changed: Partial<Entries>) => setEntries((before) => ({ ...before, ...changed }))
  const [sent, setSent] = useState<ExplorerReply | undefined>()
  const ready = useMemo(() => attempt(() => readyCallOf(operation, entries)), [operation, entries])
  const action = useAction(async () => {
    if (ready instanceof Error) throw ready
    lastUser = entries.caller.user
    setSent(await send(ready))
    return undefined
  })
  return (
    <div class="split">
      <Card>
        <div class="stack tight">
          <h2 class="row">
            <Method of={operation.method} />
            <code class="path">{operation.path}</code>
          </h2>
          <p>
            <strong>{operation.summary}</strong>
          </p>
          <p class="quiet">{operation.description.replaceAll('`', '')}</p>
        </div>
        <form onSubmit={onSubmit(() => void action.run())}>
          <Caller name={name} entries={entries} change={change} />
          <Parameters
            parameters={operation.parameters}
            document={document}
            values={entries.parameters}
            onValue={(one, value) => change({ parameters: { ...entries.parameters, [one]: value } })}
          />
          <Body operation={operation} document={document} entries={entries} change={change} />
          <Notes error={action.error} />
          <button type="submit" class="primary" disabled={action.isRunning}>
            {action.isRunning ? 'Sending …' : 'Send'}
          </button>
        </form>
      </Card>
      <div class="stack">
        {sent && <Reply sent={sent} />}
        {!(ready instanceof Error) && (
          <Snippets ready={ready} origin={sent ? originOf(sent) : ORIGINS[entries.host]} />
        )}
      </div>
    </div>
  )
}

function attempt(work: () => ReadyCall): ReadyCall | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(sentenceOf(error))
  }
}

function entriesOf(
  name: DocumentName,
  operation: Operation,
  document: ApiDocument,
  { as = '', ...parameters }: Readonly<Record<string, string>>,
): Entries {
  const [contentType = ''] = sendableTypes(operation)
  const content = operation.body[JSON_TYPE]
  const example = content && (content.example ?? skeletonOf(content.schema, document))
  return {
    host: name,
    caller: { kind: firstCaller(operation), user: as || lastUser || 'demo', app: '', scopes: '' },
    parameters,
    contentType,
    json: example === undefined ? '' : JSON.stringify(example, undefined, 2),
    fields: {},
    files: {},
  }
}

interface PartProps {
  readonly entries: Entries
  readonly change: (changed: Partial<Entries>) => void
}

function Caller({
  name,
  entries: { host, caller },
  change,
}: PartProps & { name: DocumentName }): JSX.Element {
  const { data: identities } = useIdentities()
  return (
    <div class="trio">
      <Choice
        label="Call as"
        value={caller.kind}
        onValue={(kind) => change({ caller: { ...caller, kind: kind as CallerKind } })}
        options={CALLERS}
      />
      {isUser(caller.kind) && (
        <Field
          label="User"
          value={caller.user}
          onValue={(user) => change({ caller: { ...caller, user } })}
          suggestions={identities?.users.map(({ screen_name }) => screen_name) ?? []}
          maxLength={20}
        />
      )}
      {caller.kind !== 'none' && (
        <Choice
          label="App"
          value={caller.app}
          onValue={(app) => change({ caller: { ...caller, app } })}
          options={[
            ['', 'The first one'],
            ...(identities?.apps ?? []).map(({ id, name: text }) => [id, text] as const),
          ]}
        />
      )}
      {caller.kind === 'oauth2' && (
        <Field
          label="Scopes"
          value={caller.scopes}
          onValue={(scopes) => change({ caller: { ...caller, scopes } })}
          mono
          hint="Separated by spaces; all if it is empty."
        />
      )}
      {name === 'ads' && (
        <Choice
          label="Host"
          value={host}
          onValue={(one) => change({ host: one as Host })}
          options={[
            ['ads', 'Production'],
            ['sandbox', 'Sandbox'],
          ]}
        />
      )}
    </div>
  )
}

interface BodyProps extends PartProps {
  readonly operation: Operation
  readonly document: ApiDocument
}

function Body({ operation, document, entries, change }: BodyProps): JSX.Element | null {
  const types = sendableTypes(operation)
  if (types.length === 0) return null
  return (
    <>
      {types.length > 1 && (
        <Choice
          label="Body"
          value={entries.contentType}
          onValue={(contentType) => change({ contentType })}
          options={types}
        />
      )}
      {entries.contentType !== JSON_TYPE ? (
        <Parameters
          parameters={fieldsOf(operation, entries.contentType, document)}
          document={document}
          values={entries.fields}
          onValue={(one, value) => change({ fields: { ...entries.fields, [one]: value } })}
          onFile={(one, file) => {
            const { [one]: before, ...others } = entries.files
            change({ files: file ? { ...others, [one]: file } : others })
          }}
        />
      ) : (
        <Field
          label="JSON body"
          value={entries.json}
          onValue={(json) => change({ json })}
          rows={Math.min(18, Math.max(6, entries.json.split('\n').length + 1))}
          mono
        />
      )}
    </>
  )
}
