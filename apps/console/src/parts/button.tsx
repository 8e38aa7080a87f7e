import type { ComponentProps, MouseEvent } from "react"

type ButtonProps = Omit<ComponentProps<"button">, "disabled"> & {
  readonly look?: "main" | "quiet" | "bare" | "danger" | "icon"
  /** It is being done: the button keeps the focus, and a second press does nothing. */
  readonly busy?: boolean
}

export function Button({ look = "quiet", busy = false, className = "", onClick, ...rest }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} ${className}`}
      {...(busy && { "aria-disabled": true })}
      onClick={press}
    />
  )
}
