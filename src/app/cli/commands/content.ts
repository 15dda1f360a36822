import type { CommandDeclarations } from '../command.ts'
import { ADMIN, RUNNING } from '../settings.ts'

/** Content in bulk. */
export const contentCommands: CommandDeclarations = {
  'import products <FILE>': {
    summary: 'Import a product feed into a product catalog.',
    details:
      'Reads tab- or comma-separated values with a header line, RSS 2.0 or Atom, also compressed with gzip.\nCreates or updates each product by the rules of the API.\nIf products are rejected, reports them with their line numbers and exits with 1.',
    json: 'lines',
    settings: [...ADMIN, 'fetch-images'],
    flags: {
      '--catalog <ID>': 'Catalog to import into.',
      '--user <SCREEN_NAME>': 'User whose catalog to import into.',
      '--sandbox': 'With --user: use the catalog of the sandbox; production by default.',
      '--name <TEXT>': 'With --user: create the catalog with this name if there is none.',
      '--format <FORMAT>': 'tsv, csv or xml; detected by default.',
      '--encoding <NAME>':
        'Encoding, such as latin1. By default that of the byte order mark or the XML declaration, or UTF-8.',
    },
    run: async (call) => (await import('../import.ts')).products(call),
  },
  'import posts <FILE|->': {
    summary: 'Import past posts from a JSON file.',
    details:
      'Each line, or each element of an array, is a post as the API returns it: text, author_id or username, and created_at or an id; optionally lang, referenced_posts, geo, public_metrics, possibly_sensitive and reply_settings. It may also be a page of the API with its includes, a post that contains its author, or a post in the classic format. A post must follow the posts that it refers to; if newer posts come first, import the file again with --again, until no more are added. If lines are invalid, reports them with their line numbers and exits with 1. To resume an interrupted import, run it again. A running Plaza imports the file itself, with its own vocabulary, and answers requests meanwhile; without one, the import is faster. Streams do not send imported posts.',
    json: 'lines',
    settings: RUNNING,
    flags: {
      '--create-authors': 'Create users for unknown usernames. No one can sign in as these users.',
      '--again': 'Import the file even if it was imported before. Posts without an id are added again.',
      '--author <SCREEN_NAME>': 'Author of posts that name no author, such as those of an archive.',
    },
    run: async (call) => (await import('../posts.ts')).importPosts(call),
  },
  'generate posts': {
    summary: 'Generate posts and authors in many languages. The same flags generate the same posts.',
    details:
      'A few authors post a lot, most post little. There are replies, quotes, reposts, hashtags, links, places, bursts of posts about one topic and, on request, polls, images and spaces. The newest post has the time of the first run. To resume an interrupted run, run it again. A running Plaza generates them itself, for at most 20000 authors; without one, it is faster.',
    settings: [...RUNNING, 'media', 'media-endpoint', 'media-region'],
    flags: {
      '--count <N>': 'Number of posts; 1000000 by default.',
      '--seed <N>': 'Seed of the random generator; 1 by default.',
      '--authors <N>': 'Number of authors; by default one per 20 posts, at most 20000.',
      '--days <N>': 'Number of days that the posts span; 30 by default.',
      '--bursts <N>': 'Bursts a day, from 0 to 24, which become news stories; 3 by default.',
      '--replies <PERCENT>': 'Posts that reply to others, up to 80, for conversations; 22 by default.',
      '--polls <PERCENT>': 'Posts with a poll, up to 50; 0 by default.',
      '--images <PERCENT>': 'Posts with images, up to 50; 0 by default. A post has a poll or images.',
      '--spaces <N>': 'Spaces, up to 1000, over all days and two more; 0 by default.',
    },
    run: async (call) => (await import('../posts.ts')).generatePosts(call),
  },
}
