import type { Change } from "./words.ts"

/** What it was, struck out, and what it became. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <ul className="mt-1 text-sm">
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          <span className="text-(--muted)">{name}: </span>
          {before !== null && (
            <>
              <del className="text-(--muted)">{before}</del>
              {" → "}
            </>
          )}
          <ins className="font-medium no-underline">{after ?? "–"}</ins>
        </li>
      ))}
    </ul>
  )
}
