/** RFC 8288: the cursors of the pages beside this one. */
export type Beside = { readonly next: string | null; readonly prev: string | null }

export function cursorsIn(header: string | null): Beside {
  return { next: cursorOf(header, "next"), prev: cursorOf(header, "prev") }
}

function cursorOf(header: string | null, rel: string): string | null {
  const address = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(header ?? "")?.[1]
  return address === undefined ? null : new URL(address).searchParams.get("cursor")
}
