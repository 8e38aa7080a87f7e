import { defineRouteMiddleware, type StarlightRouteData } from "@astrojs/starlight/route-data"

type Entry = StarlightRouteData["sidebar"][number]

/** Each part of the site shows its own pages: whoever signs is not led through operations, and 177 operations stand on no guide. */
export const onRequest = defineRouteMiddleware(async ({ locals, url }, next) => {
  await next()
  const { starlightRoute: route } = locals as { starlightRoute: StarlightRouteData }
  const group = (label: string) => route.sidebar.filter((each) => each.label === label)
  if (url.pathname.includes("/signers/")) {
    route.sidebar = route.sidebar.filter((each) => holds(each, "/signers/"))
    return
  }
  if (url.pathname.startsWith("/reference/")) route.sidebar = [...group("First steps"), ...group("Reference")]
  else route.sidebar = route.sidebar.map((each) => (each.label === "Reference" ? overviewsOnly(each) : each))
})

const holds = (entry: Entry, part: string): boolean =>
  entry.type === "link" ? entry.href.includes(part) : entry.entries.some((each) => holds(each, part))

/** One link to each version. */
function overviewsOnly(entry: Entry): Entry {
  if (entry.type === "link") return entry
  const versions = entry.entries.flatMap((version) => {
    const first = version.type === "group" ? version.entries.find((each) => each.type === "link") : undefined
    return first === undefined ? [] : [{ ...first, label: version.label }]
  })
  return { ...entry, entries: versions }
}
