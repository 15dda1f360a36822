import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { bytesText, durationText } from '../../format.ts'
import { Code, Facts, Status } from '../../parts/code.tsx'
import { Card } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import type { ExplorerReply, ReadyCall } from './call.ts'
import { LANGUAGES, type Language, originOf, snippetOf } from './snippets.ts'

/** The reply to a call, and what was sent. */
export function Reply({ sent }: { sent: ExplorerReply }): JSX.Element {
  const [tab, setTab] = useState<'body' | 'headers' | 'sent'>('body')
  const headerOf = (name: string) => sent.headers.find(([other]) => other === name)?.[1]
  const id = headerOf('x-transaction-id')
  return (
    <Card
      title="Reply"
      actions={
        <>
          <Status of={sent.status} />
          <span class="quiet">{durationText(sent.duration_ms)}</span>
          <span class="quiet">{bytesText(new Blob([sent.body]).size)}</span>
        </>
      }
    >
      <Tabs
        label="Reply"
        value={tab}
        onValue={setTab}
        options={[
          ['body', 'Body'],
          ['headers', 'Headers'],
          ['sent', 'Sent'],
        ]}
      >
        {tab === 'body' && <Code label="Body of the reply" text={sent.body} json={!sent.is_base64} />}
        {tab === 'headers' && <Facts of={sent.headers} />}
        {tab === 'sent' && (
          <Facts of={[['Method', sent.request.method], ['URL', sent.request.url], ...sent.request.headers]} />
        )}
      </Tabs>
      {id && (
        <p>
          <a href={`/journal/${id}`}>See it in the journal</a>
        </p>
      )}
    </Card>
  )
}

/** The call in other languages. */
export function Snippets({ ready, origin }: { ready: ReadyCall; origin: string }): JSX.Element {
  const [language, setLanguage] = useState<Language>('plaza')
  return (
    <Card title="As code">
      <Tabs label="Language" value={language} onValue={setLanguage} options={LANGUAGES}>
        <Code label="The call as code" text={snippetOf(language, ready, origin)} />
      </Tabs>
    </Card>
  )
}

export { originOf }
