import type { SignerSession } from "../login/signer.ts"
import { Refusal } from "../refusal.ts"
import { type TurnParts, takeTurn } from "../release/take-turn.ts"
import { keyHolder } from "./key-holder.ts"
import { type Agreed, requestSigning } from "./request-signing.ts"

/** "Sign" was pressed: by the service's own key it is enough, a key of the signer's own is made first and then released. */
export async function press(parts: TurnParts, signer: SignerSession, agreed: Agreed): Promise<void> {
  const request = await parts.read(
    signer.businessId,
    (reading) => reading.findRequest(signer.requestId),
    "once",
  )
  if (request === null) throw new Refusal("not-found", "There is no such signature.")
  if (keyHolder(request) === "signer") await takeTurn(parts, signer, agreed)
  else await requestSigning(parts, signer, agreed)
}
