import { Fragment } from "react"

/** An address that does not fit goes on behind the @, before it is broken anywhere else. */
export function Breakable({ text }: { readonly text: string }) {
  const [first = "", ...rest] = text.split("@")
  return (
    <>
      {first}
      {rest.map((piece) => (
        <Fragment key={piece}>
          @<wbr />
          {piece}
        </Fragment>
      ))}
    </>
  )
}
