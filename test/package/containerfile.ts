/** One instruction of a Containerfile, its continuation lines joined. */
export interface Instruction {
  name: string
  /** Options before the arguments: `--from=build` is `{ from: 'build' }`. */
  options: Record<string, string>
  /** Everything behind the options. */
  text: string
}

/** A stage: its base image, its name, and its instructions. */
export interface Stage {
  image: string
  name: string | undefined
  instructions: Instruction[]
}

/** The stages of a Containerfile, as far as this one uses the format. */
export function parseContainerfile(file: string): Stage[] {
  const stages: Stage[] = []
  for (const line of file.replaceAll('\\\n', ' ').split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') {
      const [, image = '', alias] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ image, name: alias, instructions: [] })
      continue
    }
    const options: Record<string, string> = {}
    const text = rest.replace(/^(--[a-z-]+=\S+\s+)+/, (all) => {
      for (const [, key = '', value = ''] of all.matchAll(/--([a-z-]+)=(\S+)/g)) options[key] = value
      return ''
    })
    const stage = stages.at(-1)
    if (!stage || name === '') throw new Error(`no instruction of a stage: ${line}`)
    stage.instructions.push({ name, options, text })
  }
  return stages
}

/** `["a", "b"]`, which runs without a shell. */
export const wordsOf = (text: string): string[] => JSON.parse(text) as string[]
