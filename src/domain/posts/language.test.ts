import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './language.ts'

const cases: [string, string][] = [
  ['The best coffee is just around the corner', 'en'],
  ['Hello', 'en'],
  ['A new product', 'en'],
  ['scheduled post', 'en'],
  ['Ciao a tutti', 'it'],
  ['guten Morgen', 'de'],
  ['El mejor café está muy cerca', 'es'],
  ['Le meilleur café est dans la rue', 'fr'],
  ['Der beste Kaffee ist gleich um die Ecke', 'de'],
  ['Il caffè che non è come gli altri', 'it'],
  ['O melhor café que você já tomou, não é?', 'pt'],
  ['Лучший кофе за углом', 'ru'],
  ['角を曲がったところのコーヒー', 'ja'],
  ['最好的咖啡', 'zh'],
  ['최고의 커피', 'ko'],
  ['أفضل قهوة', 'ar'],
  ['Jutro otwieramy nasz nowy sklep', 'pl'],
  ['Det bästa kaffet finns runt hörnet', 'sv'],
  ['Dün akşam ne maçtı ama', 'tr'],
  ['Morgen openen wij onze nieuwe winkel', 'nl'],
  ['Besok kami membuka toko baru', 'in'],
  ['Ngày mai chúng tôi mở cửa hàng mới', 'vi'],
  ['Завтра ми відкриваємо новий магазин', 'uk'],
  ['Най-доброто кафе е зад ъгъла', 'bg'],
  ['فردا مغازه جدیدمان را باز می‌کنیم', 'fa'],
  ['הקפה הטוב ביותר נמצא מעבר לפינה', 'iw'],
  ['กาแฟที่ดีที่สุดอยู่ตรงหัวมุม', 'th'],
  ['Ο καλύτερος καφές είναι στη γωνία', 'el'],
  ['सबसे अच्छी कॉफी पास में है', 'hi'],
  // The beginning of a long text determines its language.
  [`${'Guten Morgen, wie geht es dir heute? '.repeat(30)}${'Le café est dans la rue. '.repeat(200)}`, 'de'],
  ['Купил новый iPhone Pro Max вчера вечером', 'ru'],
  ['', 'und'],
  ['123 😀', 'und'],
  ['#coffee @demo https://example.com/coffee $COF', 'und'],
]
for (const [text, language] of cases) {
  test(`"${text.slice(0, 60)}" is taken for ${language}`, async () =>
    assert.equal(await languageOf(text), language))
}
