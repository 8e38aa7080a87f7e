/** Every limit on what comes from outside, with the place it comes from. MB is 10⁶ bytes (decisions, "MB"). */
export const LIMITS = {
  /** Part 8: the largest document, unencoded. */
  documentBytes: 112_500_000,
  /** Part 8: the largest document, Base64 encoded. */
  documentBase64Bytes: 150_000_000,
  /** Ours: pages of an upload (choice 470). The time of malware scanners grows with the square of the pages: 50,000 take 8 s, 20,000 0.6 s. */
  documentPages: 20_000,
  /** Ours: pixels of all pages, and CPU time, for rendering an upload for screen and print (choice 460). */
  viewPixels: 100_000_000,
  /** So much for any document, so much more for each page and each million pixels of images, and so much in all. */
  viewFirstCpuMs: 3_000,
  viewPageCpuMs: 60,
  viewMegapixelCpuMs: 40,
  viewCpuMs: 30_000,
  /** Ours: pixels that the images of an upload declare: of one, such as A0 at 400 dpi, and of all together (choice 460). */
  viewImagePixels: 250_000_000,
  viewAllImagePixels: 2_000_000_000,
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
  /** Ours: places at which one signature is shown in one document (choice 182). */
  positionsPerSignature: 50,
  /** Ours: and all of a document, each of which is a form field (choice 182). */
  positionsPerDocument: 500,
  /** Ours: places that one person chooses in all documents together (choice 232). */
  placesPerConsent: 200,
  /** Ours: a signature that is drawn: strokes, their points, and the sides of the canvas (choice 233). */
  strokesPerDrawing: 300,
  pointsPerDrawing: 6000,
  canvasSide: 10_000,
  /** Ours: a picture to sign with, as it arrives (choice 234). */
  pictureBytes: 5_000_000,
  /** Ours: addresses in one access list (choice 4). */
  accessListEntries: 200,
  /** Decisions, "limits": the `custom` of a request. */
  customCharacters: 10_000,
  /** Decisions, "limits": what is said when a request is withdrawn. */
  withdrawCharacters: 2048,
  /** Part 8: one reminder per signer per hour. */
  reminderEveryMs: 3_600_000,
  /** Decisions, "bulk read". */
  bulkIds: 100,
  /** Ours: signers who are missing are warned two days before `expires_at` passes (choice 88). */
  expiryWarningMs: 2 * 86_400_000,
  /** Ours: a time-stamp over a document is renewed this long before its certificate ends (choice 342). */
  renewBeforeMs: 90 * 86_400_000,
  /** Ours: and tried again after this, where that fails (choice 342). */
  renewAgainMs: 3_600_000,
  /** Part 2.1: `expires_at` is at most six months ahead. */
  expiresMonths: 6,
  /** Ours: attachments and observers of one request (choice 87). */
  attachmentsPerRequest: 50,
  observersPerRequest: 200,
  /** Ours: signatures times documents of one request: what a page of a list has to carry (choice 98). */
  marksPerRequest: 2000,
  /** Ours: members of one group (choice 190). */
  membersPerGroup: 200,
  /** Decisions, "attachments": 40 MB each. */
  attachmentBytes: 40_000_000,
  /** The same, Base64 encoded. */
  attachmentBase64Bytes: 53_333_336,
  /** What file systems take as a name. */
  filenameCharacters: 255,
  /** Everything in a JSON body but `content` (ASVS 4.3: a limit before parsing). */
  jsonBytes: 1_000_000,
  /** Experience, S9: the reason of a decline. */
  declineReasonCharacters: 1000,
  /** Security, R26: a signer's session ends after 15 idle minutes. */
  signerSessionIdleMs: 15 * 60_000,
  /** Ours: a signer's session ends after half a day, however busy (choice 4). */
  signerSessionMs: 12 * 3_600_000,
  /** Ours: a signature's door is pressed so often a minute (choice 206). */
  doorPressesPerMinute: 30,
  /** Ours: sessions of one signature that began within `signerSessionMs`, by the link of the mail or otherwise (choice 206). */
  sessionsPerSignature: 100,
  /** Ours: a person's login ends after 12 idle hours, and after 30 days however busy (choice 241). */
  accountSessionIdleMs: 12 * 3_600_000,
  accountSessionMs: 30 * 86_400_000,
  /** Ours: a person is logged in so many times at once; with one more, the one that was seen the longest time ago ends (choice 241). */
  sessionsPerAccount: 50,
  /** Ours: a login by single sign-on ends after half a day, so that the provider is asked again (choice 292); how long the way there may take. */
  singleSignOnSessionMs: 12 * 3_600_000,
  singleSignOnWayMs: 10 * 60_000,
  /** Ours (choice 290). */
  issuerCharacters: 500,
  /** Ours: what opens an account is changed by whoever logged in within so long (choice 242). */
  accountProofMs: 15 * 60_000,
  /** Ours: how long a mailed code counts, how long somebody may take between two steps, and how often each is tried (choice 243). */
  accountCodeMs: 10 * 60_000,
  accountStepMs: 10 * 60_000,
  accountTries: 5,
  accountCodeDigits: 8,
  /** Ours: wrong second factors of one account within a day, at the login and by recovery apart; after how many a mail tells (choice 243). */
  secondFactorsWrong: 30,
  secondFactorsWrongTold: 5,
  /** Ours: passkeys that are younger than this are gone after a recovery (choice 246). */
  passkeyTrialMs: 7 * 86_400_000,
  /** ASVS 6.4.3: how long a new or recovered factor of an account activates no signing key (ADR 0090). */
  newFactorHoldMs: 72 * 3_600_000,
  /** Ours: how long a name that was proved with one signature stands for the account in later ones (ADR 0090). */
  provenNameMs: 730 * 86_400_000,
  /** NIST SP 800-63B, 3.1.1.2 asks for 8 beside a second factor and 15 without one; ours: 12 for all (choice 244). */
  passwordCharactersLeast: 12,
  passwordCharactersMost: 256,
  /**
   * Ours: a password withstands 10¹⁰ guesses of an attacker who has dictionaries (choice 244). Of a long one the beginning is estimated:
   * the whole withstands no fewer, and the time to estimate grows faster than the length.
   */
  passwordGuessesLog10: 10,
  passwordCharactersEstimated: 32,
  /** Ours (choice 244). */
  passkeysPerAccount: 20,
  /** Ours: another operator confirms the reset of a person's factors within so long (ADR 0098). */
  factorResetMs: 86_400_000,
  factorResetReasonCharacters: 500,
  recoveryCodes: 10,
  /** Ours: a code that was sent to a signer (choice 213): its life, the pause before another, how many an hour. */
  codeMs: 10 * 60_000,
  codeResendMs: 30_000,
  codesPerHour: 5,
  /**
   * Ours: wrong codes for one code, for one signature ever, and for one address or number in a day: over all signatures of one business,
   * and over all businesses (choice 213). The last one is high, so that it takes ten businesses to lock a person out of the others. It
   * bounds what they guess together: 200 of a million codes a day. Demo and production count apart.
   */
  codeAttempts: 5,
  codesWrongEver: 15,
  codesWrongPerAddress: 20,
  codesWrongInAll: 200,
  /** Ours: codes that one address is sent in a day, and how many of them because of one network (choice 213). */
  codesPerAddress: 40,
  codesPerNetwork: 10,
  /** Ours: how long a way to an identity provider may take, and its answer after that; how often it is gone (choice 382). */
  identificationWayMs: 72 * 3_600_000,
  identificationAttempts: 10,
  /** Ours: how long a review may take, and how long after its end somebody may still sign (choice 382). */
  identificationReviewMs: 30 * 86_400_000,
  identificationValidMs: 30 * 86_400_000,
  /** Ours: the pauses between two questions to a provider that reviews (choice 382). */
  identificationAskMs: 10_000,
  identificationAskMaxMs: 3_600_000,
  /** Ours: what is read of the answer of an identity provider (choice 385). */
  verifiedClaims: 10,
  evidenceFiles: 20,
  evidenceFileBytes: 10_000_000,
  /** Ours: the same for codes by SMS, which cost money, and how many there are for one signature ever (choice 361). */
  smsPerNumber: 10,
  smsPerNetwork: 5,
  smsPerSignature: 20,
  /** Ours: a mail that no mail server takes is given up after 72 hours, as a callback is (choice 4). */
  mailRetryMs: 72 * 3_600_000,
  /** Ours: the documents attached to one mail, before they are encoded (choice 142). */
  mailAttachmentBytes: 15_000_000,
  /** Ours: how much of a mail that came back is looked at; what it says is at its beginning (choice 146). */
  bouncedMailBytes: 262_144,
  /** Decisions, "status_code": retries of a signature end after 72 hours. */
  signingRetryMs: 72 * 3_600_000,
  /** Ours: how long a signer has the turn on the documents, to release the key (choice 350). */
  signingTurnMs: 10 * 60_000,
  /** Ours: the same for a way to a provider, and where nobody else waits for these documents (choice 400). */
  providerTurnMs: 30 * 60_000,
  providerTurnAloneMs: 72 * 3_600_000,
  /** Ours: how long one process asks a provider for signatures before another one may: longer than one answer takes. */
  providerLeaseMs: 3 * 60_000,
  /** Ours: how long a signer's certificate stands: longer than retries of the signature may take (choice 351). */
  signerCertificateMs: 5 * 86_400_000,
  /** X.520, upper bounds: what a common name holds. */
  commonNameCharacters: 64,
  /** Decisions, "callback delivery": retries end after 72 hours. */
  callbackRetryMs: 72 * 3_600_000,
  /** Ours: the longest pause between two attempts at a callback or a webhook (choice 43). */
  deliveryPauseMs: 3_600_000,
  /** Ours: so often anything is tried before it is given up, however late it is (choice 43); within 72 hours it is tried more often. */
  leastAttempts: 10,
  /** Ours: the longest `Retry-After` that is honoured (choice 121). */
  retryAfterMs: 6 * 3_600_000,
  /** Ours: webhooks of one business and kind of key (choice 131). */
  webhooksPerBusiness: 20,
  /** Ours: an older secret of a webhook signs for so long after a new one was made (choice 132). */
  webhookSecretOverlapMs: 24 * 3_600_000,
  /** Ours: what a business says of itself (choice 263). */
  retentionDays: 36_500,
  originsPerList: 50,
  senderNameCharacters: 100,
  /** Ours: a logo, as it arrives (choice 264). */
  logoBytes: 512_000,
  /** Ours: templates of one business, and what they may hold (choice 265). */
  templatesPerBusiness: 200,
  placesPerTemplate: 500,
  labelCharacters: 100,
  templateExpiryDays: 184,
  /** Ours: months of usage in one answer, and how many there are unless it is said (choice 268). */
  usageMonths: 60,
  usageMonthsUsual: 12,
  /** Ours: people and living API keys of one business, and how many keys of the past are listed beside them (choice 254). */
  membersPerBusiness: 500,
  keysPerBusiness: 100,
  deadKeysListed: 200,
  keyNameCharacters: 100,
  /** Ours: how long copies of mails about demo requests are kept (choice 277), and what became of any mail (choice 278). */
  capturedMailMs: 7 * 86_400_000,
  mailLogMs: 30 * 86_400_000,
  /** Ours: the name of a seal, a picture that it shows, and what stands in its certificate (choices 370, 372). */
  sealNameCharacters: 100,
  sealImageBytes: 512_000,
  sealsPerBusiness: 50,
  /** Ours: after how long an order is given up (choice 373). */
  sealRetryMs: 24 * 3_600_000,
  /** The issue: a batch of 1,000 seals; ours: batches of one business at once, and how many of the past are listed (choice 376). */
  documentsPerBatch: 1000,
  batchesPerBusiness: 10,
  batchesListed: 50,
  /** Ours: how long orders that are over, and batches, are remembered (choice 377). */
  sealingMs: 2 * 86_400_000,
  batchMs: 90 * 86_400_000,
  /** Ours: how many files one archive of an export has, whose list is held until the end; and how many rows are looked at to find them (choice 456). */
  exportedFiles: 50_000,
  exportLooked: 200_000,
  /** The same, at once: to find out where the archive ends, and to write it. */
  exportLookedAtOnce: 2000,
  exportReadAtOnce: 500,
  /** Part 8: a document to be validated, its Base64, and the whole request: 50 MB each. */
  validationBytes: 50_000_000,
  /** Decisions, "lifetime": of a result. */
  validationMs: 10 * 60_000,
  /** Ours: differences whose pictures are kept, and their bytes together (choice 416). */
  differencePictures: 50,
  differenceBytes: 40_000_000,
  /** Ours: credits that something costs, or that are included in a month. */
  credits: 999_999_999,
  /** Ours: events that one call sends again (choice 134). */
  replayedEvents: 1000,
} as const
