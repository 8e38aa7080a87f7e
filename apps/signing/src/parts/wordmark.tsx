/** The same strokes as the server's pages (apps/server/src/http/app/wordmark.ts); a test there compares them. */
export function Wordmark({ small = false }: { readonly small?: boolean }) {
  return (
    <svg
      className={small ? "h-7 w-auto shrink-0 text-(--muted)" : "h-9 w-auto shrink-0 text-(--accent) sm:h-11"}
      viewBox="0 0 156 58"
      role="img"
      aria-label="Paraph"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path strokeWidth="3.4" d={LETTERS} />
      <path strokeWidth="2.2" d={FLOURISH} />
    </svg>
  )
}

/** The flourish alone, drawing itself while the signature is made. */
export function Flourish() {
  return (
    <svg
      className="flourish mx-auto h-16 w-48 text-(--accent)"
      viewBox="4 24 152 34"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path strokeWidth="2.2" pathLength="1" d={FLOURISH} />
    </svg>
  )
}

const LETTERS =
  "M6 40V10h8.5a8 8 0 0 1 0 16H6M45 22v18M45 31a8.5 9 0 1 1-17 0 8.5 9 0 0 1 17 0ZM54 40V22M54 31c0-5 3-9 8.5-9M85 22v18M85 31a8.5 9 0 1 1-17 0 8.5 9 0 0 1 17 0ZM94 22v25M94 31a8.5 9 0 1 1 17 0 8.5 9 0 0 1-17 0ZM120 8v32M120 31c0-5.5 3.5-9 8-9s8 3.5 8 9v5"
const FLOURISH =
  "M136 36c0 7 6.5 9 11.5 4 4.5-4.5 3-11-1.5-10.5-5 .5-6.5 8-11 12.5-8 8-60 1-92 5-12 1.5-22 4-31 8"
