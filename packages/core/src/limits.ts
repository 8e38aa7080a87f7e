/** Every limit on what comes from outside, with the place it comes from. MB is 10⁶ bytes (decisions, "MB"). */
export const LIMITS = {
  /** Part 8: the largest document, unencoded. */
  documentBytes: 112_500_000,
  /** Part 8: the largest document, Base64 encoded. */
  documentBase64Bytes: 150_000_000,
  /** Part 8: documents per signature request. */
  documentsPerRequest: 50,
  /** Decisions, "limits": title, message and names. */
  textCharacters: 1024,
  /** Decisions, "limits": URLs. */
  urlCharacters: 2048,
  /** Decisions, "limits": sequence 1 to 999. */
  sequenceMax: 999,
  /** Ours: the name that a signer types (choice 4). */
  signerNameCharacters: 200,
  /** RFC 5321, 4.5.3.1.3: a forward path of 256 octets holds an address of 254. */
  emailCharacters: 254,
  /** Ours: signers of one request (choice 4). */
  signersPerRequest: 200,
  /** Ours: addresses in one access list (choice 4). */
  accessListEntries: 200,
  /** Everything in a JSON body but `content` (ASVS 4.3: a limit before parsing). */
  jsonBytes: 1_000_000,
  /** Experience, S9: the reason of a decline. */
  declineReasonCharacters: 1000,
  /** Security, R26: a signer's session ends after 15 idle minutes. */
  signerSessionIdleMs: 15 * 60_000,
  /** Ours: a signer's session ends after half a day, however busy (choice 4). */
  signerSessionMs: 12 * 3_600_000,
  /** Ours: an invitation that no mail server takes is given up after 72 hours, as a callback is (choice 4). */
  invitationRetryMs: 72 * 3_600_000,
  /** Decisions, "status_code": retries of a signature end after 72 hours. */
  signingRetryMs: 72 * 3_600_000,
  /** Decisions, "callback delivery": retries end after 72 hours. */
  callbackRetryMs: 72 * 3_600_000,
} as const
