/** These bytes are not what was sealed under this key and context: cut, changed, moved, or of somebody else. */
export class SealBroken extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "SealBroken"
  }
}
