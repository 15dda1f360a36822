import { query } from '../store/query.ts'
import type { RequestTokenRow } from '../store/tables.ts'

export const requestTokenByHash = query<{ tokenHash: string }, RequestTokenRow>(
  'requestTokenByHash',
  (db, at) => db.selectFrom('request_tokens').selectAll().where('token_hash', '=', at.tokenHash),
)
