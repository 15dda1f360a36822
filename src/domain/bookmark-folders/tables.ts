import { users } from '../../identity/users/tables.ts'
import { id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** A folder in which a user keeps bookmarks. Nobody else sees it. */
export const bookmarkFolders = table(
  'bookmark_folders',
  {
    id: id64(),
    user_id: text({ belongsTo: users }),
    name: text(),
  },
  {
    key: ['id'],
    indexes: { bookmark_folders_by_user: ['user_id', 'id'] },
  },
)

/** A bookmark in a folder. A bookmark may be in several. */
export const folderBookmarks = table(
  'folder_bookmarks',
  {
    folder_id: id64({ belongsTo: bookmarkFolders }),
    /** The first version of the post. */
    post_id: id64(),
    /** The user of the folder. */
    user_id: text({ belongsTo: users }),
    /** Later ones have greater ids. */
    id: id64(),
  },
  {
    key: ['folder_id', 'post_id'],
    indexes: {
      folder_bookmarks_by_folder: ['folder_id', 'id'],
      folder_bookmarks_by_user: ['user_id', 'post_id'],
      folder_bookmarks_by_post: ['post_id', 'user_id'],
    },
  },
)

export type BookmarkFolderRow = RowOf<typeof bookmarkFolders>
export type FolderBookmarkRow = RowOf<typeof folderBookmarks>
