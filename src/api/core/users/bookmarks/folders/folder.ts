import { Type } from 'typebox'
import { MAX_NAME_LENGTH } from '../../../../../domain/bookmark-folders/folders.ts'
import { closedComponent, id, text } from '../../../../../platform/http/schema.ts'
import { notFoundProblem, ResourceProblem } from '../../../../../platform/protocols/problem/resource.ts'
import type { Naming } from '../../../../../platform/protocols/protocols.ts'

export const SOURCE = 'Core reference, 06 section 7'
export const LIMITS = { user: '50/15m' } as const
export const MAX_RESULTS = 100

export const folderId = id('The folder.')
export const folderName = text(1, MAX_NAME_LENGTH, 'Name.')
export const Folder = closedComponent('BookmarkFolder', { id: folderId, name: folderName })
export const FOLDER = { id: '1900000000000000060', name: 'Recipes' }

export const closed = { additionalProperties: false }
export const caller = id('The user who calls.')
export const problems = Type.Optional(Type.Array(ResourceProblem, { minItems: 1 }))

/** The error of a folder that the caller does not have. */
export const noFolder = (value: string, naming: Naming) =>
  notFoundProblem({ type: 'bookmark_folder', noun: 'Bookmark folder', value, parameter: 'folder_id' }, naming)
