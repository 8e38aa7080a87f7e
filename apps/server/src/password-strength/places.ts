const LANGUAGES = ["en", "de", "fr", "it"] as const
const TOWNS =
  `aarau adelboden altdorf appenzell arosa ascona baden basel bellinzona bern berne biel bienne binningen bruxelles bülach bulle
  burgdorf carouge chur davos delémont dietikon dübendorf emmen firenze frauenfeld fribourg freiburg genève genf genova glarus gossau
  grenchen herisau herzogenbuchsee hinwil horgen illnau interlaken kloten köln köniz kreuzlingen küsnacht langenthal lausanne liestal locarno
  lugano luzern lucerne lyon marseille martigny mendrisio meyrin milano montreux morges münchen muttenz napoli neuchâtel neuenburg nyon
  olten opfikon pfäffikon pratteln rapperswil regensdorf renens reinach rheinfelden riehen roma rorschach sarnen schaffhausen schlieren
  schwyz siders sierre sion sitten solothurn stans steffisburg sursee sankt-gallen stgallen saint-gall thalwil thun torino uster uzwil venezia
  vernier vevey volketswil wädenswil wallis wettingen wetzikon wil winterthur wohlen yverdon zermatt zofingen zollikon zug zürich zurich
  zurigo ginevra basilea berna losanna graz linz salzburg innsbruck klagenfurt hamburg frankfurt stuttgart düsseldorf dortmund essen leipzig
  dresden hannover nürnberg bremen toulouse nice nantes strasbourg bordeaux lille rennes palermo bologna bari catania verona`.split(
    /\s+/,
  )

/**
 * What people put before a year in a password: countries, cities, months and days of the week, in our languages. The names come
 * from the tables of ICU, apart from towns.
 */
export function placesAndTimes(): readonly string[] {
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => zone.slice(zone.lastIndexOf("/") + 1))
  const names = [
    ...TOWNS,
    ...zones,
    ...LANGUAGES.flatMap((language) => [...countries(language), ...times(language)]),
  ]
  return unique(names.flatMap((name) => [name, name.replaceAll(/[\s_'’-]/g, "")]).flatMap(spellings))
}

function countries(language: string): readonly string[] {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  return letters.flatMap((first) => letters.flatMap((second) => names.of(first + second) ?? []))
}

function times(language: string): readonly string[] {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, month + 1)))
  const named = (options: Intl.DateTimeFormatOptions) =>
    days.map((day) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(day))
  return [...named({ month: "long" }), ...named({ weekday: "long" })]
}

/** As it is, as a keyboard without accents writes it, and as German does. */
export function spellings(word: string): readonly string[] {
  const lower = word.toLowerCase()
  const german = lower.replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss")
  return unique([lower, bare(german), bare(lower)])
}

const bare = (word: string): string => word.normalize("NFD").replaceAll(/\p{M}/gu, "")
const unique = (words: readonly string[]): readonly string[] =>
  [...new Set(words)].filter((word) => word.length > 2)
