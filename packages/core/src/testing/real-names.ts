/** Names as people and registers write them. Each of them must be accepted as it stands, without a warning. */
export const REAL_NAMES: readonly string[] = [
  // Switzerland, Germany, Austria
  ...[
    "Anna Muster",
    "Hans-Peter Zürcher",
    "Jürg Bärlocher",
    "Ueli Grüninger",
    "Reto Caflisch",
    "Ursina Caduff",
  ],
  ...["Gian-Andrea Bezzola", "Regula von Büren", "Beat Äbischer", "Karl-Theodor zu Guttenberg", "Jens Weiß"],
  ...["Dr. med. Eva Siegel", "Martina Kessler", "Björn Fortgang", "Lukas Einfalt", "Max Mustermann jun."],
  // France, Romandy
  ...["François-Xavier Lefèvre", "Zoë de La Tour d’Auvergne", "Anaïs Noël", "Jérôme Œuvray", "Thomas Adès"],
  ...["Léa Cachet", "Marie-Ève Saint-Exupéry", "Benoît L’Hôpital", "Amélie d'Orléans", "Yves Simple"],
  // Italy, Ticino
  ...[
    "Nicolò D’Amico",
    "Maria José Ferrò",
    "Leonardo Dell’Orto",
    "Giosuè Firmani",
    "Mario Fea",
    "Carla Semplici",
  ],
  // Ireland, Great Britain, United States
  ...["Sinéad O’Brien", "Seán O'Connor", "Conan O`Brien", "Ian McDonald", "John Smith 3rd", "Henry Ford II"],
  ...["Martin Luther King, Jr.", "Samuel Seal", "Anne Signature-Jones", "J. R. R. Tolkien", "J.R.R. Tolkien"],
  ...[
    "A. E. S. Duncan",
    "X Æ A-12",
    "George (Geo) Ses",
    "Maria Aes",
    "Malcolm X",
    "50 Cent",
    "Dick Van Dyke",
  ],
  // Spain, Portugal, Latin America
  ...[
    "Jaques Marques",
    "João Vasques",
    "Ana Henriques",
    "Rodriques da Silva",
    "Guillem de Requesens",
    "Pere Esquesada",
  ],
  ...[
    "Carla Sequesta",
    "JACQUES VASQUES",
    "MARIA MARQUES-HENRIQUES",
    "Enrique Quesada",
    "Esteve Pades",
    "Olga Cades",
  ],
  // Albania, Kosovo, Malta, central Asia: a Q without a U
  ...[
    "Arben Qesku",
    "ARBEN QESKA",
    "Besa Qeska",
    "Qemal Qesari",
    "Iqes Shehu",
    "Dino Qesaj",
    "Aqeel Qazi",
    "Qessar Qureshi",
  ],
  ...[
    "Є. Петренко",
    "Эдуард Эс",
    "Njǫrðr Bǫrsson",
    "ᏥᏍᎵ ᏣᎳᎩ",
    "Signe Nielsen",
    "Signer Hansjörg",
    "Peter Signer",
  ],
  ...["José Ángel Muñoz", "Núria Lluís i Güell", "Miquel·lina Col·lell", "João da Conceição", "Inês Falcão"],
  ...["Ramón y Cajal", "María de los Ángeles Pérez-Ibáñez", "Iñaki Etxeberria", "Gonçalo Simões"],
  // The north
  ...[
    "Björk Guðmundsdóttir",
    "Þórður Æ. Þorláksson",
    "Åse Ødegård",
    "Søren Kierkegaard",
    "Jyväskylä Väinämö",
  ],
  ...["Ólafur Ragnar Grímsson", "Ingvild Løvåsen", "Märta Ångström", "Inger Áŋŋel Gaup", "Bárður á Steig"],
  // Central and eastern Europe, Latin letters
  ...[
    "Łukasz Żółć",
    "Wojciech Brzęczyszczykiewicz",
    "Jiří Dvořák",
    "Ľudmila Štúrová",
    "Şerban Țepeș",
    "Đorđe Šćepanović",
  ],
  ...["Győző Szűcs", "Gintarė Žukauskaitė", "Jānis Ķēniņš", "Õie Käärik", "Žiga Čeferin", "Xhevahir Çela"],
  // Turkey, Azerbaijan
  ...["Işıl Gökçe", "İbrahim Çağlar", "Oğuz Şahin", "Əli Məmmədov", "Ğani Yıldız"],
  // Vietnam, the Pacific, Africa in Latin letters
  ...[
    "Nguyễn Thị Hương",
    "Trần Quốc Đạt",
    "Võ Nguyên Giáp",
    "Lê Ỷ Lan",
    "Keʻalohi Kaʻōpua",
    "Ngũgĩ wa Thiong’o",
  ],
  ...["Ọlámidé Adébáyọ̀", "Chinụa Achebe", "Nǃxau ǂToma", "Tāmati Paraone", "Nelson Rolihlahla Mandela"],
  // Greek, Cyrillic, Armenian, Georgian
  ...["Γεώργιος Παπαδόπουλος", "Ελένη Καζαντζάκη", "Άννα Ζωή", "Анна Иванова", "Пётр Ильич Чайковский"],
  ...["Олексій Ґудзь", "Її Є’жак", "Ђорђе Љубичић", "Ѓорѓи Ќосев", "Алтынай Өмірбек", "Ұлан Қайратұлы"],
  ...["Արամ Խաչատրյան", "Անի Հովհաննիսյան", "ნინო ბურჯანაძე", "შოთა რუსთაველი"],
  // Hebrew, Arabic, Persian, Urdu, Syriac, Dhivehi
  ...["דוד בן־גוריון", "רָחֵל הַמְשׁוֹרֶרֶת", "צ׳רלי לוי", "محمد الأحمد", "عَبْدُ ٱللَّٰه", "فاطمة بنت علي"],
  ...["علی‌رضا محمدی", "پژمان گودرزی", "زهرا نیک‌پی", "بینظیر بھٹو", "ܐܦܪܝܡ", "އަޙްމަދު"],
  // South Asia
  ...["नरेन्द्र शर्मा", "श्रीकान्त कृष्णमूर्ति", "সুভাষচন্দ্র বসু", "র‍্যাচেল রহমান", "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ", "નરેશ પટેલ"],
  ...["அருள்மொழி வர்மன்", "రాజ్‌కుమార్ రెడ్డి", "ಕೃಷ್ಣ ರಾವ್", "രാജന്‍ നായര്‍", "ക്ഷ്മി മേനോൻ", "ශ්‍රීමා ක්‍රිස්ටි", "ଜଗନ୍ନାଥ ଦାସ"],
  // South-east Asia, Tibet, Ethiopia
  ...["สมชาย ใจดี", "กัญญารัตน์ สุวรรณภูมิ", "ສົມພອນ ວົງສາ", "អង្គរ សុខា", "အောင်ဆန်းစုကြည်", "བསྟན་འཛིན་རྒྱ་མཚོ་"],
  ...["ኃይለ ሥላሴ", "ᠴᠢᠩᠭᠢᠰ", "ⵎⴰⵙⵙⵉⵏⵉⵙⵙⴰ"],
  // China, Taiwan, Japan, Korea
  ...[
    "王小明",
    "歐陽修",
    "李 娜",
    "張〇",
    "𠮷田 太郎",
    "田中 さくら",
    "佐々木 健",
    "ヶ丘 マリー",
    "マリア・テレサ",
    "Tanaka 太郎",
  ],
  ...["Tマート 健", "김민준", "남궁 옥분", "박지성 Park", "ㄅㄆ 王"],
]

/** Names of companies, two of which would be acronyms of signature qualities in the name of a person. */
export const REAL_COMPANIES: readonly string[] = [
  ...["UBS AG", "AES Corporation", "SES S.A.", "Müller & Söhne GmbH", "L’Oréal S.A.", "Yahoo! Inc.", "C&A"],
  ...[
    "Advanced Electronic Systems AG",
    "Advanced Seal Technology Ltd",
    "Firma Meier",
    "㈱トヨタ",
    "3M",
    "E.ON SE",
  ],
  ...[
    "Swiss Digital Signature AG",
    "Marques & Vasques Lda",
    "Signer Architekten AG",
    "Ernst & Young™",
    "株式会社 日立製作所",
    "ООО «Яндекс»",
    "Ben & Jerry's®",
  ],
]
