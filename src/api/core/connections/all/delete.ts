import { json } from '../../../../platform/http/reply-kinds.ts'
import { endAllConnections, endpoint, killExample, killReply } from '../endpoint.ts'

/**
 * DELETE /2/connections/all: ends every open connection of the calling app (core reference, 04
 * section 4.2).
 */
export const endAllStreamConnections = endpoint({
  id: 'endAllStreamConnections',
  host: 'core',
  method: 'DELETE',
  path: '/2/connections/all',
  summary: 'End all connections to streams',
  description: 'Ends every open connection of the calling app to streams; their last line is a Problem.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '25/15m' },
  reply: killReply,
  example: { reply: killExample },
  handle: async ({ principal: { app } }, dependencies) =>
    json(await endAllConnections(app, undefined, dependencies)),
})
