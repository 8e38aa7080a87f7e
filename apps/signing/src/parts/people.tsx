import type { Person } from "../api.ts"
import { say } from "../words.ts"

/** Who has signed and who has not, in the order in which they are asked. */
export function People({ people }: { readonly people: readonly Person[] }) {
  return (
    <ul className="mt-2 grid gap-1.5">
      {people.map(({ name, state, own }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name, and nobody changes places
        <li key={index} className="flex items-baseline gap-2.5">
          <span aria-hidden="true" className={`mark mark-${state}`} />
          <span className="min-w-0">
            <bdi className="font-semibold">{name}</bdi>
            {own && ` (${say("people.you")})`}
            <span className="text-(--muted)">{` · ${say(`people.${state}`)}`}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
