import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { timeText } from '../../format.ts'
import { Facts } from '../../parts/code.tsx'
import { Field, onSubmit } from '../../parts/field.tsx'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { useAction, useResource } from '../../resource.ts'
import { readAs } from '../explorer/call.ts'
import { DataPage } from './data-page.tsx'

interface Story {
  readonly id?: string
  readonly rest_id?: string
  readonly name?: string
  readonly summary?: string
  readonly category?: string
  readonly updated_at?: string
}

interface Space {
  readonly id: string
  readonly title?: string
  readonly state: string
  readonly created_at?: string
  readonly creator_id?: string
}

const APP = { kind: 'app' } as const

/** News stories, which are made of posts. */
export function News(): JSX.Element {
  const [words, setWords] = useState('plaza')
  const [query, setQuery] = useState('plaza')
  const path = `/2/news/search?query=${encodeURIComponent(query)}&news.fields=name,summary,category,updated_at`
  const { data, error, reload } = useResource(path, (one) => readAs<{ data?: readonly Story[] }>(APP, one))
  const refresh = useAction(async () => {
    await call('POST', '/news/refresh')
    reload()
    return 'Stories are up to date.'
  })
  return (
    <DataPage
      title="News"
      about="Stories are built from posts every minute. A search finds them by their words."
      open="/data/news"
      actions={
        <button type="button" disabled={refresh.isRunning} onClick={() => void refresh.run()}>
          Build now
        </button>
      }
    >
      <Search words={words} onWords={setWords} onSearch={setQuery} />
      <Notes error={refresh.error ?? error} done={refresh.done} />
      {!data && !error && <Loading />}
      {data && (data.data ?? []).length === 0 && <Empty>No story has these words.</Empty>}
      <div class="grid">
        {data?.data?.map((story) => (
          <Card key={story.id ?? story.rest_id} title={story.name ?? 'Story'}>
            <p>{story.summary}</p>
            <Facts
              of={[
                ['Id', <code key="id">{story.id ?? story.rest_id}</code>],
                ...(story.category ? [['Category', story.category] as const] : []),
                ...(story.updated_at ? [['Updated', timeText(story.updated_at)] as const] : []),
              ]}
            />
          </Card>
        ))}
      </div>
    </DataPage>
  )
}

/** Spaces, by the words of their titles. */
export function Spaces(): JSX.Element {
  const [words, setWords] = useState('hello')
  const [query, setQuery] = useState('hello')
  const path = `/2/spaces/search?query=${encodeURIComponent(query)}&state=all&space.fields=title,state,created_at,creator_id`
  const { data, error } = useResource(path, (one) => readAs<{ data?: readonly Space[] }>(APP, one))
  return (
    <DataPage
      title="Spaces"
      about="Live audio conversations. A search finds them by the words of their titles."
      open="/data/spaces"
    >
      <Search words={words} onWords={setWords} onSearch={setQuery} />
      <Notes error={error} />
      {!data && !error && <Loading />}
      {data && (data.data ?? []).length === 0 && <Empty>No space has these words in its title.</Empty>}
      <div class="grid">
        {data?.data?.map((space) => (
          <Card
            key={space.id}
            title={space.title ?? space.id}
            actions={<span class="badge">{space.state}</span>}
          >
            <Facts
              of={[
                ['Id', <code key="id">{space.id}</code>],
                ...(space.creator_id
                  ? [
                      [
                        'Host',
                        <a key="host" href={`/data/users/${space.creator_id}`}>
                          {space.creator_id}
                        </a>,
                      ] as const,
                    ]
                  : []),
                ...(space.created_at ? [['Created', timeText(space.created_at)] as const] : []),
              ]}
            />
          </Card>
        ))}
      </div>
    </DataPage>
  )
}

interface SearchProps {
  readonly words: string
  readonly onWords: (words: string) => void
  readonly onSearch: (words: string) => void
}

const Search = ({ words, onWords, onSearch }: SearchProps): JSX.Element => (
  <form class="search-row" onSubmit={onSubmit(() => words.trim() !== '' && onSearch(words.trim()))}>
    <Field label="Words" bare type="search" value={words} onValue={onWords} required maxLength={200} />
    <button type="submit">Search</button>
  </form>
)
