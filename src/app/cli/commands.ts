import type { CommandDeclarations } from './command.ts'
import { accountCommands } from './commands/accounts.ts'
import { appCommands } from './commands/apps.ts'
import { clockCommands } from './commands/clock.ts'
import { communityCommands } from './commands/communities.ts'
import { contentCommands } from './commands/content.ts'
import { deliveryCommands } from './commands/deliveries.ts'
import { faultCommands } from './commands/faults.ts'
import { fileCommands } from './commands/files.ts'
import { journalCommands } from './commands/journal.ts'
import { noteCommands } from './commands/notes.ts'
import { postCommands } from './commands/posts.ts'
import { previewCommands } from './commands/previews.ts'
import { requestCommands } from './commands/requests.ts'
import { broadcastCommands } from './commands/broadcasts.ts'
import { serverCommands } from './commands/server.ts'
import { snapshotCommands } from './commands/snapshots.ts'
import { spaceCommands } from './commands/spaces.ts'
import { statusCommands } from './commands/status.ts'
import { taskCommands } from './commands/tasks.ts'
import { userCommands } from './commands/users.ts'

/** Puts commands under a heading of the help. */
const under = (heading: string, ...declarations: CommandDeclarations[]): CommandDeclarations =>
  Object.fromEntries(
    declarations.flatMap(Object.entries).map(([usage, declared]) => [usage, { heading, ...declared }]),
  )

/** Every command, in the order of the help. */
export const commands: CommandDeclarations = {
  ...under('Run Plaza:', serverCommands),
  ...under(
    'See and steer a running Plaza:',
    statusCommands,
    journalCommands,
    clockCommands,
    faultCommands,
    snapshotCommands,
  ),
  ...under('Requests and events:', requestCommands),
  ...under('Apps, users and accounts:', appCommands, userCommands, accountCommands),
  ...under('Content:', postCommands, spaceCommands, communityCommands, broadcastCommands),
  ...under('Content:', noteCommands, previewCommands, contentCommands),
  ...under('Background work:', taskCommands, deliveryCommands),
  ...under('Files and documents:', fileCommands),
  ...under('This program:', {
    'completion <bash|zsh|fish>': {
      summary: 'Print a shell completion script.',
      details:
        'bash and zsh load it with  source <(plaza completion bash)  and fish with  plaza completion fish | source',
      json: 'none',
      settings: ['log-level'],
      run: async (call) => (await import('./completion.ts')).printCompletion(call, commands),
    },
  }),
}
