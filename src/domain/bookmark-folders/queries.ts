import { sql } from 'kysely'
import { idPages } from '../../platform/storage/id-pages.ts'
import { anyIn, picked, postgres } from '../../platform/storage/query.ts'
import { removalOf } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { type BookmarkFolderRow, bookmarkFolders, type FolderBookmarkRow, folderBookmarks } from './tables.ts'

export const addFolder = query<BookmarkFolderRow>('addBookmarkFolder', (db, at) =>
  db.insertInto('bookmark_folders').values(picked(at, columnNames(bookmarkFolders))),
)

export const countFolders = query<{ user: string }, { count: number }>('countBookmarkFolders', (db, at) =>
  db
    .selectFrom('bookmark_folders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', at.user),
)

/** Removes some folders of a user, with the bookmarks in them. */
export const removeSomeFolders = removalOf('removeSomeFolders', bookmarkFolders, 'user_id', 'user')

export const folderOfUser = query<{ id: string; user: string }, BookmarkFolderRow>(
  'bookmarkFolderOfUser',
  (db, at) =>
    db.selectFrom('bookmark_folders').selectAll().where('id', '=', at.id).where('user_id', '=', at.user),
)

/** The folders of a user with their names, newest first. */
export const foldersOfUser = idPages('bookmarkFoldersOfUser', {
  table: 'bookmark_folders',
  of: 'user_id',
  other: 'name',
})

export const addToFolder = query<FolderBookmarkRow>('addToBookmarkFolder', (db, at) =>
  db
    .insertInto('folder_bookmarks')
    .values(picked(at, columnNames(folderBookmarks)))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Removes a post from all folders of some users. `users` is a JSON list. */
export const removeFromFolders = query<{ post: string; users: string }>('removeFromFolders', (db, at) =>
  db
    .deleteFrom('folder_bookmarks')
    .where('post_id', '=', at.post)
    .where(anyIn(postgres(db), sql.ref('user_id'), at.users)),
)

/** The first versions of the posts in a folder, most recently added first. */
export const postsOfFolder = idPages('postsOfBookmarkFolder', {
  table: 'folder_bookmarks',
  of: 'folder_id',
  other: 'post_id',
})
