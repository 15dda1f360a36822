/** The texts of generated posts in a language. All languages have the same topics in the same order. */
export interface Language {
  /** The code in posts. */
  code: string
  /** The share of authors who write it. */
  share: number
  /** ISO 3166-1 alpha-2: where those authors live. */
  countries: readonly string[]
  names: readonly string[]
  topics: readonly string[]
  qualities: readonly string[]
  times: readonly string[]
  /** `{t}`, `{u}`: topics; `{q}`: a quality; `{w}`: a time; `{n}`: the name of something. */
  posts: readonly string[]
  replies: readonly string[]
}

const words = (text: string) => text.split(' ')
const lines = (text: string) => text.split('|')

/** Languages of ten scripts. */
export const languages: readonly Language[] = [
  {
    code: 'en',
    share: 34,
    countries: ['US', 'US', 'US', 'GB', 'IN', 'CA', 'AU', 'NG', 'ZA', 'IE'],
    names: words('Ava Ben Chloe Daniel Emma Grace Henry Isla Jack Liam Maya Noah Olivia Priya Ryan Zoe'),
    topics: words(
      'football music cooking weather work travel cinema books technology school cats gaming health cycling',
    ),
    qualities: words('great terrible surprising slow beautiful cheap strange perfect boring brilliant'),
    times: lines('today|tonight|this morning|last week|tomorrow|every day|right now|this year'),
    posts: lines(
      'What a {q} day for {t}|I am learning {t} {w} and it is {q}|Nobody talks about {n} and {t} {w}|Breaking: {n} changes everything about {t}|Looking for {q} people who love {t} and {u}|{n} was {q} {w}, {t} never is|Why is {t} so {q} {w}?|My review of {n}: {q} for {t}, less so for {u}|We met {n} {w} to talk about {t}|Three hours of {t} {w}. I regret nothing',
    ),
    replies: lines(
      'I do not agree, {t} is {q}|So true! {t} {w} too|Have you tried {n}?|That is {q}, thanks for sharing|And what about {t}?',
    ),
  },
  {
    code: 'ja',
    share: 14,
    countries: ['JP'],
    names: words('Aoi Haruka Kenji Mei Ren Sakura Sota Yui'),
    topics: words('サッカー 音楽 料理 天気 仕事 旅行 映画 読書 技術 学校 猫 ゲーム 健康 自転車'),
    qualities: words('最高 残念 意外 静か 綺麗 安い 不思議 完璧 退屈 素敵'),
    times: words('今日 今夜 今朝 先週 明日 毎日 今 今年'),
    posts: lines(
      '{w}の{t}は{q}でした|{t}が好きな人はいますか|{n}と{t}について話しました|{w}から{t}を始めます|{n}の{t}が{q}すぎる|週末はずっと{t}と{u}でした|{w}も{t}で疲れました|{n}を見た。{q}だった',
    ),
    replies: lines('それは{q}ですね|{t}もいいですよ|わかります、{w}もそうでした|{n}はどうですか'),
  },
  {
    code: 'es',
    share: 11,
    countries: ['MX', 'MX', 'ES', 'AR', 'CO', 'CL', 'PE'],
    names: words('Alba Carlos Diego Elena Hugo Javier Lucia Marta Pablo Sara Sofia Valeria'),
    topics: lines(
      'el fútbol|la música|la cocina|el tiempo|el trabajo|los viajes|el cine|los libros|la tecnología|la escuela|los gatos|los juegos|la salud|la bicicleta',
    ),
    qualities: words('genial terrible increíble lento precioso barato raro perfecto aburrido brillante'),
    times: lines('hoy|esta noche|esta mañana|la semana pasada|mañana|todos los días|ahora|este año'),
    posts: lines(
      'Qué día tan {q} para {t}|{w} toca {t} con los amigos del barrio|Nadie habla de {n} y {t}|Última hora: {n} lo cambia todo|¿Por qué es tan {q} {t} {w}?|Me gusta {t}, pero nunca tengo tiempo para {u}|Lo de {n} {w} fue muy {q}|Hola, ¿qué es lo mejor para empezar con {t}?',
    ),
    replies: lines(
      'No estoy de acuerdo, {t} es {q}|¡Muy cierto!|¿Has probado {n}?|Gracias por compartirlo, es {q}',
    ),
  },
  {
    code: 'pt',
    share: 8,
    countries: ['BR', 'BR', 'BR', 'PT'],
    names: words('Ana Bruno Camila Felipe Gabriela Joao Larissa Mateus Rafael Tiago'),
    topics: lines(
      'o futebol|a música|a cozinha|o tempo|o trabalho|as viagens|o cinema|os livros|a tecnologia|a escola|os gatos|os jogos|a saúde|a bicicleta',
    ),
    qualities: words('ótimo terrível incrível lento lindo barato estranho perfeito chato brilhante'),
    times: lines('hoje|esta noite|esta manhã|na semana passada|amanhã|todos os dias|agora|este ano'),
    posts: lines(
      'Que dia {q} para {t}|{w} foi só {t}, não quero outra coisa|Ninguém fala sobre {n} e {t}|Você também gosta de {t}? Eu gosto muito|Por que {t} é tão {q} {w}?|Não é só {t}, são horas muito boas com {u}|{n} foi muito {q} {w}',
    ),
    replies: lines('Não concordo, {t} é {q}|É verdade!|Você já viu {n}?|Muito {q}, obrigado'),
  },
  {
    code: 'ar',
    share: 6,
    countries: ['SA', 'EG', 'AE', 'MA', 'IQ', 'JO'],
    names: words('Ahmed Fatima Hassan Layla Omar Noor Salma Yusuf'),
    topics: words(
      'الكرة الموسيقى الطبخ الطقس العمل السفر السينما الكتب التقنية المدرسة القطط الألعاب الصحة الدراجة',
    ),
    qualities: words('رائع سيئ مدهش بطيء جميل رخيص غريب مثالي ممل ممتاز'),
    times: lines('اليوم|الليلة|هذا الصباح|الأسبوع الماضي|غدا|كل يوم|الآن|هذا العام'),
    posts: lines(
      'يوم {q} مع {t}|لماذا {t} {q} {w}؟|لا أحد يتحدث عن {n} و {t}|أحب {t} و {u} كثيرا|{w} قرأت عن {n} وكان {q}|عاجل: {n} يغير كل شيء في {t}|ما هو أفضل شيء في {t}؟',
    ),
    replies: lines('لا أوافق، {t} {q}|صحيح جدا|هل جربت {n}؟|شكرا، هذا {q}'),
  },
  {
    code: 'ru',
    share: 5,
    countries: ['RU', 'RU', 'KZ', 'BY'],
    names: words('Alexey Anna Dmitry Elena Ivan Maria Olga Sergey'),
    topics: words(
      'футбол музыка кухня погода работа путешествия кино книги техника школа кошки игры здоровье велосипед',
    ),
    qualities: words('отлично ужасно неожиданно медленно красиво дёшево странно прекрасно скучно блестяще'),
    times: lines('сегодня|вечером|утром|на прошлой неделе|завтра|каждый день|сейчас|в этом году'),
    posts: lines(
      'Сегодня только {t}, и это {q}|Почему {t} {w} — это так {q}?|Никто не говорит про {n} и {t}|Кто тоже любит {t} и {u}?|Новость: {n} меняет всё|{w} снова {t}, как же это {q}|Прочитал про {n}: {q}',
    ),
    replies: lines('Не согласен, {t} — это {q}|Точно!|А вы пробовали {n}?|Спасибо, очень {q}'),
  },
  {
    code: 'fr',
    share: 4,
    countries: ['FR', 'FR', 'BE', 'CH', 'CA', 'SN'],
    names: words('Camille Chloe Hugo Jules Lea Louis Manon Nathan Theo Zoe'),
    topics: lines(
      'le football|la musique|la cuisine|la météo|le travail|les voyages|le cinéma|les livres|la technologie|l’école|les chats|les jeux|la santé|le vélo',
    ),
    qualities: words('génial terrible surprenant lent magnifique étrange parfait ennuyeux brillant calme'),
    times: lines(
      'aujourd’hui|ce soir|ce matin|la semaine dernière|demain|tous les jours|maintenant|cette année',
    ),
    posts: lines(
      'Quel jour {q} pour {t}|Nous avons parlé de {n} et c’est très bien|Personne ne parle de {n} et {t}|Pourquoi {t} est si {q} {w} ?|Encore {t} {w} avec des amis|Qui aime aussi {t} et {u} ?|{n} était {q} {w}',
    ),
    replies: lines('Pas d’accord, {t} est {q}|Tellement vrai|Avez-vous essayé {n} ?|Merci, c’est {q}'),
  },
  {
    code: 'de',
    share: 4,
    countries: ['DE', 'DE', 'AT', 'CH'],
    names: words('Anna Felix Finn Hannah Jonas Lena Lukas Mia Paul Sophie'),
    topics: words(
      'Fußball Musik Kochen Wetter Arbeit Reisen Kino Bücher Technik Schule Katzen Spiele Gesundheit Radfahren',
    ),
    qualities: words(
      'großartig schrecklich überraschend langsam schön billig seltsam perfekt langweilig brillant',
    ),
    times: lines('heute|heute Abend|heute Morgen|letzte Woche|morgen|jeden Tag|gerade|dieses Jahr'),
    posts: lines(
      'Was für ein Tag für {t}, einfach {q}|Das ganze Wochenende nur {t} und sonst nicht viel|Niemand spricht über {n} und {t}|Warum ist {t} {w} so {q}?|{n} war {w} wirklich {q}|Wie habt ihr mit {t} angefangen? Ich bin gespannt|Eilmeldung: {n} ändert alles bei {t} und {u}',
    ),
    replies: lines(
      'Das sehe ich anders, {t} ist {q}|Stimmt!|Habt ihr {n} schon probiert?|Danke, das ist {q}',
    ),
  },
  {
    code: 'hi',
    share: 4,
    countries: ['IN'],
    names: words('Aarav Ananya Diya Ishaan Kavya Rohan Saanvi Vivaan'),
    topics: words('क्रिकेट संगीत खाना मौसम काम यात्रा सिनेमा किताबें तकनीक स्कूल बिल्ली खेल सेहत साइकिल'),
    qualities: words('शानदार बुरा अद्भुत धीमा सुंदर सस्ता अजीब बढ़िया उबाऊ कमाल'),
    times: lines('आज|आज रात|आज सुबह|पिछले हफ़्ते|कल|हर दिन|अभी|इस साल'),
    posts: lines(
      '{w} का {t} बहुत {q} था|मुझे {t} और {u} बहुत पसंद है|कोई भी {n} और {t} की बात नहीं करता|{w} हम {t} के बारे में बात करेंगे|{n} बहुत {q} है|{t} इतना {q} क्यों है?',
    ),
    replies: lines('मैं सहमत नहीं हूँ, {t} {q} है|बिल्कुल सही|क्या आपने {n} देखा?|धन्यवाद, यह {q} है'),
  },
  {
    code: 'zh',
    share: 3,
    countries: ['TW', 'SG', 'CN', 'MY'],
    names: words('Chen Fang Jie Lan Ming Wei Xin Yang'),
    topics: words('足球 音乐 美食 天气 工作 旅行 电影 阅读 科技 学校 猫咪 游戏 健康 骑车'),
    qualities: words('很棒 糟糕 意外 很慢 漂亮 便宜 奇怪 完美 无聊 精彩'),
    times: words('今天 今晚 早上 上周 明天 每天 现在 今年'),
    posts: lines(
      '{w}的{t}真的{q}|有人喜欢{t}和{u}吗|没有人谈论{n}和{t}|{w}我们一起去{t}吧|{n}改变了{t}的一切|为什么{t}这么{q}',
    ),
    replies: lines('我不同意，{t}{q}|说得对|你试过{n}吗|谢谢分享，{q}'),
  },
  {
    code: 'ko',
    share: 3,
    countries: ['KR'],
    names: words('Hana Jihoon Jiwoo Minjun Seo Sora Yuna Woojin'),
    topics: words('축구 음악 요리 날씨 일 여행 영화 독서 기술 학교 고양이 게임 건강 자전거'),
    qualities: words('최고 최악 의외 느림 예쁨 저렴 이상 완벽 지루 멋짐'),
    times: lines('오늘|오늘 밤|오늘 아침|지난주|내일|매일|지금|올해'),
    posts: lines(
      '{w} {t} 정말 {q}이에요|{t} 좋아하는 사람 있나요|아무도 {n} 그리고 {t} 이야기를 안 해요|{w}부터 {t} 시작합니다|{n} {w} 너무 {q}|왜 {t} {u} 둘 다 {q}인가요',
    ),
    replies: lines('저는 {t} {q}라고 생각해요|맞아요|{n} 해 보셨나요|감사합니다 {q}네요'),
  },
  {
    code: 'th',
    share: 2,
    countries: ['TH'],
    names: words('Anong Chai Kanya Mali Niran Somchai Suda Wit'),
    topics: words('ฟุตบอล ดนตรี อาหาร อากาศ งาน ท่องเที่ยว หนัง หนังสือ เทคโนโลยี โรงเรียน แมว เกม สุขภาพ จักรยาน'),
    qualities: words('สุดยอด แย่ น่าทึ่ง ช้า สวย ถูก แปลก ดีเยี่ยม น่าเบื่อ เก่ง'),
    times: words('วันนี้ คืนนี้ เช้านี้ สัปดาห์ก่อน พรุ่งนี้ ทุกวัน ตอนนี้ ปีนี้'),
    posts: lines('{w}{t}{q}มาก|ใครชอบ{t}กับ{u}บ้าง|ไม่มีใครพูดถึง{n}กับ{t}|ทำไม{t}ถึง{q}{w}|{n}เปลี่ยนทุกอย่างเกี่ยวกับ{t}'),
    replies: lines('ไม่เห็นด้วยนะ {t}{q}|จริงมาก|ลอง{n}หรือยัง|ขอบคุณค่ะ {q}'),
  },
  {
    code: 'el',
    share: 1,
    countries: ['GR'],
    names: words('Dimitra Eleni Giorgos Kostas Maria Nikos Sofia Yannis'),
    topics: lines(
      'το ποδόσφαιρο|η μουσική|η μαγειρική|ο καιρός|η δουλειά|τα ταξίδια|το σινεμά|τα βιβλία|η τεχνολογία|το σχολείο|οι γάτες|τα παιχνίδια|η υγεία|το ποδήλατο',
    ),
    qualities: words('υπέροχο τρομερό απίστευτο αργό όμορφο φτηνό περίεργο τέλειο βαρετό λαμπρό'),
    times: lines('σήμερα|απόψε|το πρωί|την περασμένη εβδομάδα|αύριο|κάθε μέρα|τώρα|φέτος'),
    posts: lines(
      'Τι {q} μέρα με {t}|Γιατί {t} είναι τόσο {q} {w};|Κανείς δεν μιλάει για {n} και {t}|Μου αρέσει {t} και {u}|{n}: {q} {w}',
    ),
    replies: lines('Δεν συμφωνώ, {t} είναι {q}|Πολύ σωστά|Δοκίμασες {n};'),
  },
  {
    code: 'iw',
    share: 1,
    countries: ['IL'],
    names: words('Avi Dana Maya Noam Noa Tal Uri Yael'),
    topics: words(
      'כדורגל מוזיקה בישול מזג עבודה טיולים קולנוע ספרים טכנולוגיה ביתספר חתולים משחקים בריאות אופניים',
    ),
    qualities: words('מצוין נורא מפתיע איטי יפה זול מוזר מושלם משעמם מבריק'),
    times: lines('היום|הערב|הבוקר|בשבוע שעבר|מחר|כל יום|עכשיו|השנה'),
    posts: lines(
      'איזה יום {q} בשביל {t}|למה {t} כל כך {q} {w}?|אף אחד לא מדבר על {n} ועל {t}|אני אוהב {t} וגם {u}|{n} היה {q} {w}',
    ),
    replies: lines('לא מסכים, {t} {q}|נכון מאוד|ניסית את {n}?'),
  },
]
