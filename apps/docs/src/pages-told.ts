import { getCollection } from "astro:content"

export type Page = {
  readonly slug: string
  readonly name: string
  readonly about: string
  readonly body: string
}

/** As our loader stores them; Astro writes its own types only when it builds. */
type Entry = {
  readonly id: string
  readonly data: { readonly title: string; readonly description?: string }
  readonly body?: string
}

/** The pages in English, in the order of their addresses. */
export async function pages(): Promise<readonly Page[]> {
  const entries: readonly Entry[] = await getCollection("docs")
  return entries
    .filter(({ id }) => !/^(de|fr|it)\//.test(id))
    .map(({ id, data, body = "" }) => ({ slug: id, name: data.title, about: data.description ?? "", body }))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1))
}
