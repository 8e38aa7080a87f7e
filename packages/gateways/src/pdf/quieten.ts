/** Standard output belongs to the frames; the renderer's own remarks would break them. */
export function quieten(): void {
  const nothing = () => undefined
  Object.assign(globalThis.console, {
    log: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    debug: nothing,
  })
}
