import type { UnrenamedWord } from '../../platform/http/inflections.ts'
import { callAdmin } from '../admin-client.ts'
import { endpoints } from '../endpoints.ts'
import { checkedVocabulary, checkVocabulary } from '../start/vocabulary.ts'
import { adminTarget } from './admin.ts'
import type { Call } from './command.ts'

/** Names of a word that are shown. */
const MAX_SHOWN = 3

/** `plaza vocabulary check FILE`. */
export async function check({ positionals, flags }: Call): Promise<number> {
  const [file = ''] = positionals
  checkedVocabulary({ vocabulary: file }, endpoints)
  const kept = checkVocabulary(file, endpoints)
  const [inflections, compounds] = [true, false].map((wanted) =>
    kept.filter(({ isInflection }) => isInflection === wanted),
  ) as [UnrenamedWord[], UnrenamedWord[]]
  if (flags.on('json'))
    console.log(JSON.stringify({ inflections: shown(inflections), compounds: shown(compounds) }))
  else {
    const lists = [
      ...listed('Inflections that are not renamed:', inflections),
      ...listed('Compounds that are not renamed:', compounds),
    ]
    console.log([`${file} is a vocabulary.`, ...lists].join('\n'))
  }
  return inflections.length > 0 ? 1 : 0
}

/** `plaza vocabulary reload`. */
export async function reload({ flags, config }: Call): Promise<number> {
  const reloaded = await callAdmin(await adminTarget(config), 'POST', '/vocabulary/reload')
  if (flags.on('json')) console.log(JSON.stringify(reloaded))
  else console.log('Plaza has read its vocabulary again.')
  return 0
}

const shown = (kept: readonly UnrenamedWord[]) =>
  kept.map(({ word, renamed, names }) => ({ word, renamed, names }))

function listed(title: string, kept: readonly UnrenamedWord[]): string[] {
  if (kept.length === 0) return []
  const width = Math.max(...kept.map(({ word }) => word.length))
  const lines = kept.map(({ word, renamed, names }) => {
    const many = `${names.length} ${names.length === 1 ? 'name' : 'names'}`
    const some = names.slice(0, MAX_SHOWN).join(', ') + (names.length > MAX_SHOWN ? ', …' : '')
    return `  ${word.padEnd(width)}  (${renamed})  ${many}: ${some}`
  })
  return ['', title, ...lines]
}
