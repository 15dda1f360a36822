import { languageName } from '../../../domain/reference-data/languages.ts'
import { locationById } from '../../../domain/reference-data/locations.ts'
import { platformByValue } from '../../../domain/reference-data/platforms.ts'
import { countryName } from '../../../platform/common/countries.ts'

/** Names of platforms that are not product names, in the order of the platforms. */
const platformNames: Readonly<
  Record<string, readonly [blackberry: string, mobile: string, desktop: string]>
> = {
  de: ['BlackBerry-Telefone und -Tablets', 'Mobiles Web auf anderen Geräten', 'Desktop- und Laptop-Computer'],
  es: [
    'Teléfonos y tabletas BlackBerry',
    'Web móvil en otros dispositivos',
    'Ordenadores de escritorio y portátiles',
  ],
  fr: [
    'Téléphones et tablettes BlackBerry',
    'Web mobile sur d’autres appareils',
    'Ordinateurs de bureau et portables',
  ],
  it: ['Telefoni e tablet BlackBerry', 'Web mobile su altri dispositivi', 'Computer desktop e portatili'],
  ja: [
    'BlackBerryスマートフォンとタブレット',
    'その他の端末のモバイルウェブ',
    'デスクトップとノートパソコン',
  ],
  ko: ['BlackBerry 휴대폰 및 태블릿', '기타 기기의 모바일 웹', '데스크톱 및 노트북 컴퓨터'],
  nl: ['BlackBerry-telefoons en -tablets', 'Mobiel web op andere apparaten', 'Desktop- en laptopcomputers'],
  pt: [
    'Telefones e tablets BlackBerry',
    'Web móvel em outros dispositivos',
    'Computadores desktop e laptops',
  ],
  tr: [
    'BlackBerry telefonlar ve tabletler',
    'Diğer cihazlarda mobil web',
    'Masaüstü ve dizüstü bilgisayarlar',
  ],
  zh: ['黑莓手机和平板电脑', '其他设备上的移动网页', '台式机和笔记本电脑'],
}

const FIRST_TRANSLATED = 2

/** The name of a platform in a language; English without a translation. */
function platformName(value: string, lang: string): string {
  const translated = platformNames[lang]?.[Number(value) - FIRST_TRANSLATED]
  return translated ?? platformByValue(value)?.name ?? value
}

/**
 * The name of a target in a language: countries, languages and platforms have translations, others
 * have one name.
 */
export function localizedName(
  { targeting_type, targeting_value }: { targeting_type: string; targeting_value: string },
  lang: string,
): string | undefined {
  switch (targeting_type) {
    case 'LANGUAGE':
      return languageName(targeting_value, lang)
    case 'PLATFORM':
      return platformName(targeting_value, lang)
    case 'LOCATION': {
      const place = locationById(targeting_value)
      return place?.type === 'COUNTRIES' ? countryName(place.countryCode, lang) : undefined
    }
    default:
      return undefined
  }
}
