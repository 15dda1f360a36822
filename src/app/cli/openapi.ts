import { jsonText } from '../../platform/common/exact-json.ts'
import { VERSION } from '../../platform/common/version.ts'
import { documentedEndpoints, endpoints } from '../endpoints.ts'
import { openApi } from '../openapi/openapi.ts'
import type { Documented } from '../openapi/schemas.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import type { Call } from './command.ts'

/** `plaza openapi`: prints the document generated from the declared endpoints. */
export async function run({ positionals, config }: Call): Promise<number> {
  const [which = 'core'] = positionals
  const document = openApi(which as Documented, documentedEndpoints, {
    version: VERSION,
    vocabulary: openVocabulary(config, endpoints),
    servers: {
      ...(config.coreUrl !== undefined && { core: config.coreUrl }),
      ...(config.adsUrl !== undefined && { ads: config.adsUrl }),
      ...(config.adsSandboxUrl !== undefined && { sandbox: config.adsSandboxUrl }),
    },
    ...(config.problemBase !== undefined && { problemBase: config.problemBase }),
  })
  console.log(jsonText(document, 2))
  return 0
}
