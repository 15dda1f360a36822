import { endpoints } from '../endpoints.ts'
import { openApi } from '../kit/openapi.ts'
import { VERSION } from '../version.ts'
import type { Call } from './command.ts'
import { UsageError } from './command.ts'
import { vocabularyOf } from './words.ts'

/** `plaza openapi`: the document of the endpoints, as it follows from their declarations. */
export async function run({ positionals, config }: Call): Promise<number> {
  const [which = 'core'] = positionals
  if (which !== 'core' && which !== 'ads') throw new UsageError(`"${which}" must be core or ads`)
  const document = openApi(which, endpoints, {
    version: VERSION,
    vocabulary: vocabularyOf(config),
    servers: {
      ...(config.coreUrl !== undefined && { core: config.coreUrl }),
      ...(config.adsUrl !== undefined && { ads: config.adsUrl }),
      ...(config.adsSandboxUrl !== undefined && { sandbox: config.adsSandboxUrl }),
    },
    ...(config.problemBase !== undefined && { problemBase: config.problemBase }),
  })
  console.log(JSON.stringify(document, undefined, 2))
  return 0
}
