import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedObject } from '../../../platform/http/schema.ts'
import { curlOf, harOf, testOf } from '../../../workbench/journal/export.ts'
import type { JournalRecord } from '../../../workbench/journal/journal.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EntryId, entryWith, SUMMARY } from './parts.ts'

const formats = {
  curl: curlOf,
  har: (record: JournalRecord) => JSON.stringify(harOf([record]), undefined, 2),
  test: testOf,
}

/** GET /admin/v1/journal/{id}/export: an entry as a command or a test. */
export const exportJournalEntry = endpoint({
  ...ADMIN,
  id: 'exportJournalEntry',
  method: 'GET',
  path: '/admin/v1/journal/{id}/export',
  summary: 'Export a journal entry',
  description:
    'Returns an entry as text: a curl command, an HTTP Archive, or a test for `node --test`. Secrets are masked: replace them before running it.',
  params: { id: EntryId },
  query: { format: choice(['curl', 'har', 'test'], 'The format.') },
  reply: closedObject({
    data: closedObject({
      format: choice(['curl', 'har', 'test'], 'The format.'),
      text: Type.String({ description: 'The command, archive or test.' }),
    }),
  }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { id: SUMMARY.id },
    reply: {
      data: {
        format: 'curl',
        text: "curl -X GET 'https://127.0.0.1:8443/2/posts/1' \\\n  -H 'authorization: Bearer ********'\n",
      },
    },
  },
  async handle({ params: { id }, query: { format } }, dependencies) {
    return json({ data: { format, text: formats[format](entryWith(id, dependencies)) } })
  },
})
