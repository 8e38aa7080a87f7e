import { useEffect, useState } from "react"
import { say } from "../words.ts"

type PageBoxProps = {
  readonly page: number
  readonly count: number
  readonly onPage: (index: number) => void
}

/** Shows the page that is read, and takes the number of another one. */
export function PageBox({ page, count, onPage }: PageBoxProps) {
  const [typed, setTyped] = useState(String(page + 1))
  useEffect(() => setTyped(String(page + 1)), [page])
  function go() {
    const number = Number.parseInt(typed, 10)
    if (number >= 1 && number <= count) onPage(number - 1)
    else setTyped(String(page + 1))
  }
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <input
        className="page-box"
        inputMode="numeric"
        aria-label={say("read.page-box", { count })}
        value={typed}
        maxLength={5}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={go}
      />
      <span aria-hidden="true" className="page-of">
        {say("read.of", { count })}
      </span>
    </form>
  )
}
