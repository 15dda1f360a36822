/** Names and texts of the synthetic users of a language. */
interface Tongue {
  firstNames: readonly string[]
  lastNames: readonly string[]
  /** Posts; `{}` is a topic. Each contains common words of the language, by which it is detected. */
  posts: readonly string[]
}

const words = (text: string) => text.split(' ')

export const tongues = {
  en: {
    firstNames: words('Ava Ben Chloe Daniel Emma Grace Henry Isla Jack Liam Maya Noah Olivia Priya Ryan Zoe'),
    lastNames: words('Adams Baker Clark Davies Evans Hughes Khan Lewis Morgan Okafor Patel Reid Turner Ward'),
    posts: [
      'What is the best way to get into {}?',
      'We spent the whole weekend with {} and it was great',
      '{} is what I need after this week',
      'Just read a long piece about {}: not what I expected',
      'The things that you learn from {}!',
    ],
  },
  es: {
    firstNames: words('Alba Carlos Diego Elena Hugo Javier Lucia Marta Pablo Sara Sofia Valeria'),
    lastNames: words('Castro Delgado Flores Garcia Herrera Lopez Moreno Ortega Ramos Vega'),
    posts: [
      'Hola, ¿qué es lo mejor para empezar con {}?',
      'Todo el fin de semana con {}, muy feliz',
      'Hoy toca {} con los amigos del barrio',
      'Cómo me gusta {}, pero nunca tengo tiempo para eso',
    ],
  },
  pt: {
    firstNames: words('Ana Bruno Camila Felipe Gabriela Joao Larissa Mateus Rafael Tiago'),
    lastNames: words('Almeida Barbosa Cardoso Ferreira Lima Oliveira Pereira Santos Silva Souza'),
    posts: [
      'Olá! Você também gosta de {}? Eu gosto muito',
      'O fim de semana foi só {}, não quero outra coisa',
      'Isso não é só {}, são horas muito boas',
    ],
  },
  fr: {
    firstNames: words('Camille Chloe Hugo Jules Lea Louis Manon Nathan Theo Zoe'),
    lastNames: words('Bernard Dubois Fontaine Girard Lambert Moreau Petit Rousseau'),
    posts: [
      'Bonjour, qui aime aussi {} dans cette ville ?',
      'Encore une soirée avec {} et des amis',
      'Nous avons parlé de {} pour la première fois, c’est très bien',
    ],
  },
  de: {
    firstNames: words('Anna Felix Finn Hannah Jonas Lena Lukas Mia Paul Sophie'),
    lastNames: words('Bauer Becker Fischer Hoffmann Keller Schneider Vogel Wagner Weber'),
    posts: [
      'Wie habt ihr mit {} angefangen? Ich bin sehr gespannt',
      'Das ganze Wochenende nur {} und sonst nicht viel',
      '{} ist für mich die beste Zeit der Woche',
    ],
  },
  it: {
    firstNames: words('Alessia Andrea Chiara Francesco Giulia Luca Marco Martina'),
    lastNames: words('Bianchi Colombo Conti Esposito Ferrari Greco Ricci Romano'),
    posts: [
      'Ciao a tutti, come avete iniziato con {}?',
      'Questo fine settimana {} con gli amici, molto bello',
      'Non è solo {}, è anche un modo di vivere',
    ],
  },
  nl: {
    firstNames: words('Anouk Bram Daan Eva Femke Lars Sanne Sem Tess'),
    lastNames: words('Bakker Bos Dekker Jansen Mulder Smit Visser'),
    posts: [
      'Het is weer tijd voor {}, heel fijn',
      'Wij zijn het hele weekend met {} bezig, maar niet moe',
      'Wat vinden jullie van {}? Ik ben ook benieuwd naar meer',
    ],
  },
  tr: {
    firstNames: words('Ayse Can Deniz Elif Emre Mert Selin Zeynep'),
    lastNames: words('Arslan Aydin Celik Demir Kaya Sahin Yilmaz'),
    posts: [
      'Merhaba, {} için en iyi başlangıç ne?',
      'Bu hafta sonu çok güzel bir {} vardı',
      '{} ve kahve: daha ne olsun, biz çok mutluyuz',
    ],
  },
  ja: {
    firstNames: words('Aoi Haruka Kenji Mei Ren Sakura Sota Yui'),
    lastNames: words('Ito Kato Kobayashi Sato Suzuki Tanaka Watanabe'),
    posts: ['週末はずっと {} でした', '{} が好きな人はいますか', '今日から {} を始めます'],
  },
} satisfies Record<string, Tongue>

export type TongueName = keyof typeof tongues

/** Where synthetic users live: the share of a country, its main language, and what profiles say. */
interface Country {
  share: number
  tongue: TongueName
  /** What profiles say, from which estimates derive a place. The name of the country stands for the country. */
  name: string
  towns: readonly string[]
}

export const countries: readonly Country[] = [
  {
    share: 30,
    tongue: 'en',
    name: 'United States',
    towns: ['New York City', 'Austin, TX', 'Chicago, IL', 'Los Angeles, CA', 'Seattle, WA'],
  },
  {
    share: 10,
    tongue: 'en',
    name: 'United Kingdom',
    towns: ['London, United Kingdom', 'Manchester, United Kingdom'],
  },
  { share: 8, tongue: 'ja', name: 'Japan', towns: ['Tokyo, Japan', 'Osaka, Japan'] },
  { share: 8, tongue: 'pt', name: 'Brazil', towns: ['São Paulo, Brazil', 'Rio de Janeiro, Brazil'] },
  { share: 8, tongue: 'en', name: 'India', towns: ['Mumbai, India', 'Bengaluru, India'] },
  { share: 6, tongue: 'es', name: 'Mexico', towns: ['Mexico City, Mexico', 'Guadalajara, Mexico'] },
  {
    share: 6,
    tongue: 'de',
    name: 'Germany',
    towns: ['Berlin, Germany', 'Hamburg, Germany', 'Munich, Germany'],
  },
  { share: 5, tongue: 'fr', name: 'France', towns: ['Paris, France', 'Lyon, France'] },
  { share: 5, tongue: 'es', name: 'Spain', towns: ['Madrid, Spain', 'Barcelona, Spain'] },
  { share: 4, tongue: 'en', name: 'Canada', towns: ['Toronto, Canada'] },
  { share: 3, tongue: 'it', name: 'Italy', towns: ['Milan, Italy', 'Rome, Italy'] },
  { share: 3, tongue: 'tr', name: 'Türkiye', towns: ['Istanbul, Türkiye', 'Ankara, Türkiye'] },
  { share: 2, tongue: 'nl', name: 'Netherlands', towns: ['Amsterdam, Netherlands', 'Utrecht, Netherlands'] },
  { share: 2, tongue: 'en', name: 'Nigeria', towns: ['Lagos, Nigeria'] },
]
