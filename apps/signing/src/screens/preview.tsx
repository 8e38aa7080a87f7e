import type { View } from "../api.ts"
import { Header } from "../parts/header.tsx"
import { Pages } from "../parts/pages.tsx"
import { words } from "../words.ts"
import { Introduction } from "./read.tsx"

/** By an address that others can read too: everything can be read, and nothing be signed. */
export function Preview({ view }: { readonly view: View }) {
  const { documents } = view
  return (
    <>
      <Header request={view.request} />
      <main className="mx-auto max-w-3xl px-4 pt-2 pb-16">
        <p role="status" className="notice mb-4">
          {words.preview}
        </p>
        <Introduction view={view} />
        {documents.map((document, index) => (
          <Pages key={document.id} document={document} first={index === 0} alone={documents.length === 1} />
        ))}
      </main>
    </>
  )
}
