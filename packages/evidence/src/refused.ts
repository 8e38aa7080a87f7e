/** What is not written as evidence is written. A story that does not hold is an answer and no error. */
export class EvidenceRefused extends Error {
  override readonly name = "EvidenceRefused"
}
