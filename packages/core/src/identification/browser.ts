import type { SignerSession } from "../login/signer.ts"
import type { Signature } from "../signature-request/model.ts"

/**
 * Whether the signer acts in the browser that returned from the provider with the identification that was accepted. The browser is
 * known by a secret of its own, which neither the sender nor a thief of the signer's mailbox has.
 */
export const isIdentifiedBrowser = (
  { identification }: Pick<Signature, "identification">,
  { browserHash }: Pick<SignerSession, "browserHash">,
): boolean =>
  browserHash !== undefined &&
  identification !== null &&
  identification.state === "ACCEPTED" &&
  identification.browserHash === browserHash
