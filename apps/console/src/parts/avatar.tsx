import { initialsOf } from "./people.ts"

/** Two letters that stand for a person or a group; whoever listens hears the name beside it. */
export function Avatar({ called, className = "" }: { readonly called: string; readonly className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`grid size-9 shrink-0 place-items-center rounded-full bg-(--accent-soft) text-xs font-semibold text-(--accent) ${className}`}
    >
      {initialsOf(called)}
    </span>
  )
}
