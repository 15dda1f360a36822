import { base36Id } from './ids.ts'
import { lookup, once } from './lookup.ts'

export interface DeviceOption {
  name: string
  manufacturer: string
  os_type: 'iOS' | 'Android' | 'BlackBerry'
  targeting_value: string
  targeting_type: 'DEVICE'
}

/** System, manufacturer, and the names of its phones and tablets, separated by commas. */
const models: readonly (readonly [DeviceOption['os_type'], manufacturer: string, names: string])[] = [
  [
    'iOS',
    'Apple',
    `iPhone 3G,iPhone 3GS,iPhone 4,iPhone 4S,iPhone 5,iPhone 5c,iPhone 5s,iPhone 6,iPhone 6 Plus,iPhone 6s,
    iPhone 6s Plus,iPhone SE,iPhone 7,iPhone 7 Plus,iPhone 8,iPhone 8 Plus,iPhone X,iPhone XR,iPhone XS,iPhone XS Max,
    iPhone 11,iPhone 11 Pro,iPhone 11 Pro Max,iPhone SE (2nd generation),iPhone 12 mini,iPhone 12,iPhone 12 Pro,
    iPhone 12 Pro Max,iPhone 13 mini,iPhone 13,iPhone 13 Pro,iPhone 13 Pro Max,iPhone SE (3rd generation),iPhone 14,
    iPhone 14 Plus,iPhone 14 Pro,iPhone 14 Pro Max,iPhone 15,iPhone 15 Plus,iPhone 15 Pro,iPhone 15 Pro Max,iPhone 16e,
    iPhone 16,iPhone 16 Plus,iPhone 16 Pro,iPhone 16 Pro Max,iPhone 17,iPhone 17 Pro,iPhone 17 Pro Max,iPhone Air`,
  ],
  [
    'iOS',
    'Apple',
    `iPad,iPad 2,iPad (3rd generation),iPad (4th generation),iPad (5th generation),iPad (6th generation),
    iPad (7th generation),iPad (8th generation),iPad (9th generation),iPad (10th generation),iPad Air,iPad Air 2,
    iPad Air (3rd generation),iPad Air (4th generation),iPad Air (5th generation),iPad Air 11-inch (M2),
    iPad Air 13-inch (M2),iPad mini,iPad mini 2,iPad mini 3,iPad mini 4,iPad mini (5th generation),
    iPad mini (6th generation),iPad mini (A17 Pro),iPad Pro (9.7-inch),iPad Pro (10.5-inch),iPad Pro (11-inch),
    iPad Pro (11-inch) (2nd generation),iPad Pro (11-inch) (3rd generation),iPad Pro (11-inch) (4th generation),
    iPad Pro 11-inch (M4),iPad Pro (12.9-inch),iPad Pro (12.9-inch) (2nd generation),
    iPad Pro (12.9-inch) (3rd generation),iPad Pro (12.9-inch) (4th generation),iPad Pro (12.9-inch) (5th generation),
    iPad Pro (12.9-inch) (6th generation),iPad Pro 13-inch (M4)`,
  ],
  [
    'iOS',
    'Apple',
    `iPod touch (2nd generation),iPod touch (3rd generation),iPod touch (4th generation),iPod touch (5th generation),
    iPod touch (6th generation),iPod touch (7th generation)`,
  ],
  [
    'Android',
    'Samsung',
    `Galaxy S,Galaxy S II,Galaxy S III,Galaxy S III mini,Galaxy S4,Galaxy S4 mini,Galaxy S5,Galaxy S5 mini,Galaxy S6,
    Galaxy S6 edge,Galaxy S6 edge+,Galaxy S7,Galaxy S7 edge,Galaxy S8,Galaxy S8+,Galaxy S9,Galaxy S9+,Galaxy S10e,
    Galaxy S10,Galaxy S10+,Galaxy S10 5G,Galaxy S20,Galaxy S20+,Galaxy S20 Ultra,Galaxy S20 FE,Galaxy S21,Galaxy S21+,
    Galaxy S21 Ultra,Galaxy S21 FE,Galaxy S22,Galaxy S22+,Galaxy S22 Ultra,Galaxy S23,Galaxy S23+,Galaxy S23 Ultra,
    Galaxy S23 FE,Galaxy S24,Galaxy S24+,Galaxy S24 Ultra,Galaxy S24 FE,Galaxy S25,Galaxy S25+,Galaxy S25 Ultra,
    Galaxy S25 Edge,Galaxy Note,Galaxy Note II,Galaxy Note 3,Galaxy Note 4,Galaxy Note 5,Galaxy Note8,Galaxy Note9,
    Galaxy Note10,Galaxy Note10+,Galaxy Note20,Galaxy Note20 Ultra,Galaxy Z Flip,Galaxy Z Flip3,Galaxy Z Flip4,
    Galaxy Z Flip5,Galaxy Z Flip6,Galaxy Fold,Galaxy Z Fold2,Galaxy Z Fold3,Galaxy Z Fold4,Galaxy Z Fold5,
    Galaxy Z Fold6,Galaxy A3,Galaxy A5,Galaxy A7,Galaxy A8,Galaxy A10,Galaxy A20,Galaxy A30,Galaxy A40,Galaxy A50,
    Galaxy A70,Galaxy A11,Galaxy A21s,Galaxy A31,Galaxy A41,Galaxy A51,Galaxy A71,Galaxy A12,Galaxy A22,Galaxy A32,
    Galaxy A52,Galaxy A52s,Galaxy A72,Galaxy A13,Galaxy A23,Galaxy A33,Galaxy A53,Galaxy A73,Galaxy A14,Galaxy A24,
    Galaxy A34,Galaxy A54,Galaxy A15,Galaxy A25,Galaxy A35,Galaxy A55,Galaxy A16,Galaxy A36,Galaxy A56,Galaxy Ace,
    Galaxy Nexus,Galaxy J1,Galaxy J2,Galaxy J3,Galaxy J5,Galaxy J7,Galaxy M12,Galaxy M31,Galaxy M51,Galaxy Tab,
    Galaxy Tab 2,Galaxy Tab 3,Galaxy Tab 4,Galaxy Tab A,Galaxy Tab A7,Galaxy Tab A8,Galaxy Tab A9,Galaxy Tab S,
    Galaxy Tab S2,Galaxy Tab S3,Galaxy Tab S4,Galaxy Tab S5e,Galaxy Tab S6,Galaxy Tab S7,Galaxy Tab S8,Galaxy Tab S9,
    Galaxy Tab S10+`,
  ],
  [
    'Android',
    'Google',
    `Nexus One,Nexus S,Nexus 4,Nexus 5,Nexus 5X,Nexus 6,Nexus 6P,Nexus 7,Nexus 9,Nexus 10,Pixel,Pixel XL,Pixel 2,
    Pixel 2 XL,Pixel 3,Pixel 3 XL,Pixel 3a,Pixel 3a XL,Pixel 4,Pixel 4 XL,Pixel 4a,Pixel 5,Pixel 5a,Pixel 6,Pixel 6 Pro,
    Pixel 6a,Pixel 7,Pixel 7 Pro,Pixel 7a,Pixel 8,Pixel 8 Pro,Pixel 8a,Pixel 9,Pixel 9 Pro,Pixel 9 Pro XL,Pixel 9a,
    Pixel Fold,Pixel 9 Pro Fold,Pixel C,Pixel Tablet`,
  ],
  [
    'Android',
    'HTC',
    `Desire,Desire HD,Dream,Hero,Evo 4G,Sensation,One S,One X,One,One (M8),One M9,HTC 10,U Ultra,U11,U12+,Desire 820`,
  ],
  [
    'Android',
    'Huawei',
    `Ascend P6,Ascend Mate 7,P8,P8 Lite,P9,P9 Lite,P10,P10 Lite,P20,P20 Lite,P20 Pro,P30,P30 Lite,P30 Pro,P40,P40 Lite,
    P40 Pro,Mate 8,Mate 9,Mate 10,Mate 10 Pro,Mate 20,Mate 20 Pro,Mate 30 Pro,Nova,Nova 5T,P Smart,Y6,Y7,
    MediaPad M5,MediaPad T5,MatePad`,
  ],
  [
    'Android',
    'Honor',
    'Honor 7,Honor 8,Honor 9,Honor 10,Honor 20,Honor 50,Honor 70,Honor 90,Honor 200,Magic4 Pro,Magic5 Pro,Magic6 Pro,X8',
  ],
  [
    'Android',
    'LG',
    `Optimus One,Optimus G,G2,G3,G4,G5,G6,G7 ThinQ,G8 ThinQ,V10,V20,V30,V40 ThinQ,V50 ThinQ,V60 ThinQ,Velvet,Wing,K10,
    Stylo 4,Stylo 5,Stylo 6`,
  ],
  [
    'Android',
    'Motorola',
    `Droid,Droid X,Droid RAZR,Atrix 4G,Xoom,Moto X,Moto G,Moto E,Moto Z,Moto Z2 Play,Moto G5,Moto G6,Moto G7,Moto G8,
    Moto G9,Moto G Power,Moto G Stylus,Moto G30,Moto G60,Moto G84,Edge,Edge 20,Edge 30,Edge 40,Edge 50 Pro,One Action,
    One Vision,Razr (2019),Razr 40,Razr 40 Ultra,Razr 50`,
  ],
  [
    'Android',
    'Sony',
    `Xperia X10,Xperia Arc,Xperia S,Xperia Z,Xperia Z1,Xperia Z2,Xperia Z3,Xperia Z3 Compact,Xperia Z5,Xperia X,
    Xperia XZ,Xperia XZ1,Xperia XZ2,Xperia XZ3,Xperia 1,Xperia 1 II,Xperia 1 III,Xperia 1 IV,Xperia 1 V,Xperia 1 VI,
    Xperia 5,Xperia 5 II,Xperia 5 III,Xperia 5 IV,Xperia 5 V,Xperia 10,Xperia 10 III,Xperia 10 IV,Xperia 10 V,
    Xperia L1,Xperia XA,Xperia Z4 Tablet`,
  ],
  [
    'Android',
    'Xiaomi',
    `Mi 3,Mi 4,Mi 5,Mi 6,Mi 8,Mi 9,Mi 9T,Mi 10,Mi 10T,Mi 11,Mi 11 Lite,Mi A1,Mi A2,Mi A3,Mi Mix 2,Xiaomi 11T,Xiaomi 12,
    Xiaomi 12 Pro,Xiaomi 12T,Xiaomi 13,Xiaomi 13 Pro,Xiaomi 13T,Xiaomi 14,Xiaomi 14 Ultra,Xiaomi 15,Redmi Note 3,
    Redmi Note 4,Redmi Note 5,Redmi Note 7,Redmi Note 8,Redmi Note 8 Pro,Redmi Note 9,Redmi Note 9 Pro,Redmi Note 10,
    Redmi Note 10 Pro,Redmi Note 11,Redmi Note 12,Redmi Note 13,Redmi 5A,Redmi 6A,Redmi 8,Redmi 9,Redmi 9A,Redmi 10,
    Redmi 12,Redmi 13C,Poco F1,Poco F3,Poco F5,Poco M3,Poco X3 NFC,Poco X5 Pro,Mi Pad 4,Pad 5,Pad 6`,
  ],
  [
    'Android',
    'OnePlus',
    `OnePlus One,OnePlus 2,OnePlus 3,OnePlus 3T,OnePlus 5,OnePlus 5T,OnePlus 6,OnePlus 6T,OnePlus 7,OnePlus 7 Pro,
    OnePlus 7T,OnePlus 8,OnePlus 8 Pro,OnePlus 8T,OnePlus 9,OnePlus 9 Pro,OnePlus 10 Pro,OnePlus 10T,OnePlus 11,
    OnePlus 12,OnePlus 12R,OnePlus 13,OnePlus Nord,OnePlus Nord 2,OnePlus Nord 3,OnePlus Nord CE 2,OnePlus Open,
    OnePlus Pad`,
  ],
  [
    'Android',
    'Oppo',
    `A5,A9,A15,A16,A53,A54,A57,A74,A78,F5,F7,F9,F11 Pro,Find X,Find X2 Pro,Find X3 Pro,Find X5 Pro,Find X6 Pro,
    Find N2 Flip,R9s,R11,R15,R17,Reno,Reno 2,Reno 4,Reno 6,Reno 8,Reno 10,Reno 12`,
  ],
  [
    'Android',
    'Vivo',
    `V5,V7,V9,V11,V15,V17,V20,V21,V23,V25,V27,V29,X20,X50 Pro,X60,X70 Pro,X80,X90 Pro,X100,Y11,Y12,Y15,Y20,Y21,Y33s,Y91`,
  ],
  [
    'Android',
    'Realme',
    'C2,C3,C11,C21,C35,C55,GT,GT 2 Pro,GT Neo 3,Realme 5,Realme 6,Realme 7,Realme 8,Realme 9,Realme 10,Realme 11,X2',
  ],
  [
    'Android',
    'Nokia',
    'Nokia 1,Nokia 2.3,Nokia 3,Nokia 5,Nokia 5.3,Nokia 6.1,Nokia 7 Plus,Nokia 7.2,Nokia 8,Nokia 8.3,Nokia G20,Nokia X20',
  ],
  [
    'Android',
    'Asus',
    `Padfone 2,Transformer Pad,ZenFone 2,ZenFone 3,ZenFone 4,ZenFone 5,ZenFone 6,ZenFone 8,ZenFone 9,ZenFone 10,
    ROG Phone,ROG Phone 3,ROG Phone 5,ROG Phone 7,ZenPad 10`,
  ],
  ['Android', 'Lenovo', 'K5,K6,P2,Vibe K4 Note,Yoga Tablet 2,Tab 4 10,Tab M8,Tab M10,Tab P11,Tab P12'],
  ['Android', 'ZTE', 'Axon 7,Axon 10 Pro,Axon 30,Blade V8,Blade A7,Blade V40,ZMax Pro'],
  ['Android', 'Alcatel', 'OneTouch Idol 3,Idol 4,1S,3V,3X,1T 10'],
  ['Android', 'TCL', 'TCL 10 Pro,TCL 10L,TCL 20 SE,TCL 30 5G,TCL 40 SE,Tab 10s'],
  ['Android', 'Tecno', 'Camon 12,Camon 17,Camon 20,Phantom X2,Pova 4,Spark 7,Spark 10'],
  ['Android', 'Infinix', 'Hot 9,Hot 10,Hot 12,Hot 30,Note 10,Note 12,Zero 5G'],
  ['Android', 'Fairphone', 'Fairphone 2,Fairphone 3,Fairphone 4,Fairphone 5'],
  ['Android', 'Nothing', 'Phone (1),Phone (2),Phone (2a),Phone (3a)'],
  ['Android', 'Sharp', 'Aquos R,Aquos R5G,Aquos sense3,Aquos sense4,Aquos sense6,Aquos zero2'],
  ['Android', 'Fujitsu', 'Arrows NX,Arrows Be,Arrows We'],
  ['Android', 'Kyocera', 'DuraForce Pro,Digno,Torque G04'],
  [
    'Android',
    'Amazon',
    'Fire Phone,Kindle Fire,Kindle Fire HD,Fire 7,Fire HD 8,Fire HD 10,Fire HDX 8.9,Fire Max 11',
  ],
  ['Android', 'Acer', 'Iconia Tab A500,Iconia One 10,Liquid E3,Liquid Jade'],
  ['Android', 'BlackBerry', 'Priv,KEYone,KEY2,DTEK50,DTEK60,Motion'],
  ['Android', 'Microsoft', 'Surface Duo,Surface Duo 2'],
  ['Android', 'Essential', 'Essential Phone'],
  ['Android', 'Razer', 'Razer Phone,Razer Phone 2'],
  [
    'BlackBerry',
    'BlackBerry',
    `Bold 9000,Bold 9700,Bold 9780,Bold 9900,Curve 8520,Curve 9300,Curve 9320,Curve 9360,Pearl 9100,Storm 9530,
    Torch 9800,Torch 9810,Torch 9860,Z10,Z30,Q5,Q10,Passport,Classic,Leap,PlayBook`,
  ],
]

const documentedIds: Readonly<Record<string, string>> = { 'Apple/iPhone 4': '1r' }

export const devices = once((): readonly DeviceOption[] =>
  models.flatMap(([os, manufacturer, names]) =>
    names.split(',').map((name) => device(os, manufacturer, name.trim())),
  ),
)

export const deviceByValue = lookup(devices, (option) => option.targeting_value)

function device(os: DeviceOption['os_type'], manufacturer: string, name: string): DeviceOption {
  const key = `${manufacturer}/${name}`
  return {
    name,
    manufacturer,
    os_type: os,
    targeting_value: documentedIds[key] ?? base36Id(`device:${key}`, 5),
    targeting_type: 'DEVICE',
  }
}
