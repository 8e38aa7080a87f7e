/** The first that fits: those that call themselves after another stand before it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
]

/** By what people know their browsers apart, such as "Firefox, Windows". What it calls itself is nowhere kept. */
export function browserName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([sign]) => sign.test(userAgent))?.[1] ?? [],
  )
  return named.join(", ")
}
