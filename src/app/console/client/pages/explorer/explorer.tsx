import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { DOCUMENTS, type DocumentName, isFound, loadDocument, type Operation } from '../../openapi.ts'
import { Method } from '../../parts/code.tsx'
import { Field } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes, Page } from '../../parts/page.tsx'
import { useResource } from '../../resource.ts'
import { Endpoint } from './endpoint.tsx'

const TITLES: Readonly<Record<DocumentName, string>> = { core: 'Core and OAuth', ads: 'Advertising' }

interface ExplorerProps {
  readonly api?: string
  readonly id?: string
}

/** Every endpoint as a form, sent as any user or app. */
export function Explorer({ api, id }: ExplorerProps): JSX.Element {
  const { query } = useLocation()
  const name: DocumentName = api === 'ads' ? 'ads' : 'core'
  const { data: document, error } = useResource(name, loadDocument)
  const operation = document?.operations.find((one) => one.id === id)
  return (
    <Page
      title="Explorer"
      about="Every endpoint as a form. Plaza signs the call with the stored credentials of the user and app that you choose."
    >
      <Notes error={error} />
      {document ? (
        <div class="explorer" data-open={operation !== undefined}>
          <List name={name} operations={document.operations} open={operation?.id} />
          <div class="grow">
            {operation ? (
              <>
                <p class="only-small">
                  <a href={`/explorer/${name}`}>All endpoints</a>
                </p>
                <Endpoint
                  key={operation.id}
                  name={name}
                  document={document}
                  operation={operation}
                  given={query}
                />
              </>
            ) : (
              <Beginning name={name} operations={document.operations} />
            )}
          </div>
        </div>
      ) : (
        !error && <Loading />
      )}
    </Page>
  )
}

/** Endpoints that most readers look for first. */
const FIRST: Readonly<Record<DocumentName, readonly string[]>> = {
  core: [
    ...['getOwnUser', 'createPost', 'searchRecentPosts', 'getUserByUsername', 'followUser'],
    ...['readHomeTimeline', 'uploadMedium', 'createList', 'createWebhook'],
  ],
  ads: ['listAccounts', 'createAccount', 'listCampaigns', 'createCampaign', 'createLineItem'],
}

function Beginning({ name, operations }: Omit<ListProps, 'open'>): JSX.Element {
  const byId = new Map(operations.map((one) => [one.id, one]))
  return (
    <Card title="Begin with one of these, or search">
      <ul class="doors">
        {FIRST[name].map((id) => {
          const one = byId.get(id)
          return (
            one && (
              <li key={id}>
                <a href={`/explorer/${name}/${id}`}>
                  <strong>{one.summary}</strong>
                  <span class="row">
                    <Method of={one.method} /> <code class="quiet">{one.path}</code>
                  </span>
                </a>
              </li>
            )
          )
        })}
      </ul>
    </Card>
  )
}

interface ListProps {
  readonly name: DocumentName
  readonly operations: readonly Operation[]
  readonly open: string | undefined
}

function List({ name, operations, open }: ListProps): JSX.Element {
  const [search, setSearch] = useState('')
  const byTag = useMemo(() => {
    const found = operations.filter((one) => isFound(one, search))
    // What is older, and what a library does for its user, comes last.
    const groups = [...Map.groupBy(found, ({ tag }) => tag)]
    return new Map(groups.toSorted(([a], [b]) => Number(a === 'oauth') - Number(b === 'oauth')))
  }, [operations, search])
  return (
    <section class="card flush endpoint-list" aria-label="Endpoints">
      <div class="list-head">
        <ul class="row" aria-label="APIs">
          {DOCUMENTS.map((one) => (
            <li key={one}>
              <a
                class="pill"
                href={`/explorer/${one}`}
                {...(one === name && { 'aria-current': 'true' as const })}
              >
                {TITLES[one]}
              </a>
            </li>
          ))}
        </ul>
        <Field
          label="Search endpoints"
          bare
          type="search"
          placeholder="Search endpoints"
          value={search}
          onValue={setSearch}
        />
      </div>
      <div class="scrolls">
        {byTag.size === 0 && <Empty>No endpoint has all of these words.</Empty>}
        {[...byTag].map(([tag, ones]) => (
          <div key={tag}>
            <h2>{tag}</h2>
            <ul>
              {ones.map((one) => (
                <li key={one.id}>
                  <a
                    href={`/explorer/${name}/${one.id}`}
                    {...(one.id === open && { 'aria-current': 'page' as const })}
                    title={`${one.method} ${one.path}`}
                  >
                    <Method of={one.method} />
                    <span>{one.summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}
