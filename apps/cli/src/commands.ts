import type { Described } from "./synopsis.ts"

export type Command = Described & {
  readonly room: Room
  /** What can be typed after its name, where it has several; loaded when somebody asks. */
  readonly acts?: () => Promise<Readonly<Record<string, Described>>>
}

/** Whom it is for; the usage is in this order. */
export const ROOMS = {
  try: "To try it out",
  sign: "To sign and to check",
  run: "For those who run a service (the settings come from the environment)",
  shell: "The command itself",
} as const

type Room = keyof typeof ROOMS

/** Every command of `paraph`: the usage, the help, the completion of shells and the README come from here. */
export const COMMANDS = {
  sandbox: {
    room: "try",
    usage: "[--port N] [--folder DIR] [--seed TEXT] [--ci] [--json]",
    about: "the whole service on this machine, for trying out",
    options: {
      port: "the first of ten ports; else 8080, or the next that is free",
      folder: "keeps everything there for the next time; else it is gone at the end",
      seed: "the same ids, times and bytes at each start; the clock stands until it is moved",
      ci: "ends with whoever started it, and prints no colours",
      json: "prints one line of JSON when it is up, for programs",
    },
    acts: async () => ({
      clock: {
        usage: "[+6d | -1h | 2027-01-31 | now] [--folder DIR] [--json]",
        about: "moves the clock, or says what it shows",
      },
      sign: {
        usage: "--as ADDRESS [--decline] [--folder DIR] [--json]",
        about: "signs the newest request that was sent to that address",
      },
    }),
  },
  dev: {
    room: "try",
    usage: "",
    about: "what npm run dev does, in a checkout: the service with real parts, for those who work on it",
  },
  send: {
    room: "sign",
    usage:
      "FILE… --to ADDRESS… [--title TITLE] [--message TEXT] [--quality SES|AES|QES] [--in-order] [--expires DAY] [--wait] [--output FILE] [--json]",
    about: "ask people to sign PDFs, through a service",
    options: {
      to: "who signs; once for each",
      title: "what they are asked to sign; the name of the first file where it is missing",
      message: "what stands in the mail to them",
      quality: "what the service has agreed with your business, where it is missing",
      "in-order": "each is asked when the one before has signed",
      expires: "the last day, such as 2030-01-31; the service must have switched this on for your business",
      wait: "waits until all have signed, and says on stderr who has",
      output: "with --wait: writes the signed PDF there, never over a file",
      json: "prints the request as one JSON object",
    },
    notes: `The service, and who you are there, come from PARAPH_URL, PARAPH_USERNAME and PARAPH_API_KEY (or PARAPH_API_KEY_FILE, a file with
the key), never from words of the command, which others on the machine can see.

Ends with 0 when it is sent; with --wait as paraph status. 1 when the service refuses, 2 when it was not understood.`,
  },
  status: {
    room: "sign",
    usage: "ID [--watch] [--json]",
    about: "how a request stands, and what each of its people has done",
    options: {
      watch: "waits for its end, and says on stderr what happens until then",
      json: "prints the request as one JSON object",
    },
    notes: `The service comes from the environment, as for paraph send.

Ends with 0 when it is signed, 3 while it is open, 4 when it was declined, withdrawn, has expired or cannot be signed any more;
1 when the service refuses, 2 when it was not understood.`,
  },
  sign: {
    room: "sign",
    usage:
      "FILE [--key FILE.p12 | --pkcs11 MODULE --token LABEL --key-label LABEL --certificate FILE] [--level B-B|B-T|B-LT|B-LTA] [--tsa URL] [--trust FILE]… [--allow-host HOST]… [--name NAME] [--reason TEXT] [--location TEXT] [--output FILE] [--json]",
    about: "sign a PDF on this machine, with a key of your own",
    options: {
      key: "a PKCS#12 file (.p12, .pfx) with the key and its certificates",
      pkcs11: "the module of a token, such as /usr/lib/softhsm/libsofthsm2.so; the key stays in the token",
      token: "the label of the token",
      "key-label": "the label of the key in it",
      certificate: "with --pkcs11: the key's certificate and its issuers, PEM",
      level:
        "by EN 319 142-1; B-B where it is missing. B-T asks for a time-stamp, B-LT keeps proofs of revocation, B-LTA stamps all",
      tsa: "the time-stamping authority (RFC 3161), from B-T on",
      trust: "from B-T on: the roots of your certificate and of the authority, PEM",
      "allow-host": "a host of your own network that may be asked about revocation; others there are refused",
      name: "who signs; the name in the certificate where it is missing",
      output: "where the signed PDF goes, never over a file; FILE.signed.pdf where it is missing",
    },
    notes: `The PIN or passphrase is typed at a prompt that shows nothing, or is in the file that PARAPH_PIN_FILE names, or is the first line of the
input; never a word of the command.

Ends with 0 when it is signed, 1 when it could not be, 2 when it was not understood.`,
  },
  verify: {
    room: "sign",
    usage:
      "FILE… [--log-key FILE|TEXT]… [--trust FILE]… [--at TIME] [--language en|de|fr|it] [--xml FILE] [--json]",
    about: "check signed PDFs and the story of a request, without any server",
    options: {
      "log-key": "the key that the log has published: one line, or a file of such lines",
      trust: "certificates that you trust (roots), PEM or DER; once for each file",
      at: "the time to judge for, such as 2030-01-31 or 2030-01-31T12:00:00Z; now where it is missing",
      xml: "writes the report by ETSI TS 119 102-2; with several PDFs one each, numbered; never over a file",
      json: "prints everything as one JSON object",
    },
    notes: `Checks signed PDFs, the story of a request with its proofs (a report that brings one along, or its story.json), and
archives of all that a business had, from these files alone: no server, no settings, no network.

Ends with 0 when all holds, 1 when something does not, 2 when it cannot be said or was not understood.`,
  },
  migrate: {
    room: "run",
    usage: "[--json]",
    about: "bring the database to the schema of this version",
  },
  doctor: {
    room: "run",
    usage: "[--json]",
    about: "check each part and say what is wrong",
    notes: "Ends with 0 when all parts work, and with 1 otherwise.",
  },
  config: {
    room: "run",
    usage: "",
    about: "the settings of the environment",
    acts: async () => ({
      check: { usage: "[--json]", about: "checks them; ends with 1 where they are not usable" },
      docs: { usage: "", about: "prints the table of settings" },
    }),
  },
  admin: {
    room: "run",
    usage: "",
    about: "businesses, users, keys, people, the audit log",
    acts: async () => (await import("./admin.ts")).ACTS,
    notes: `Each prints one JSON object, and each that changes something writes one row of the audit log, with the user of the shell
and, where --as ADDRESS names one, the operator.`,
  },
  keys: {
    room: "run",
    usage: "",
    about: "the operator's key, and the keys of businesses",
    acts: async () => (await import("./keys.ts")).KEYS_ACTS,
    notes: "Each prints one JSON object of what was done. No byte of a document is touched by any of it.",
  },
  ca: {
    room: "run",
    usage: "",
    about: "the built-in authority",
    acts: async () => (await import("./ca-acts.ts")).CA_ACTS,
    notes: "Each prints one JSON object, but request, which prints PEM unless there is --json.",
  },
  seal: {
    room: "run",
    usage: "",
    about: "company seals",
    acts: async () => (await import("./seal-acts.ts")).SEAL_ACTS,
    notes: "Each prints one JSON object, but request, which prints PEM unless there is --json.",
  },
  log: {
    room: "run",
    usage: "",
    about: "the log of evidence",
    acts: async () => ({
      check: {
        usage: "[--checkpoint FILE]… [--key FILE]… [--json]",
        about: "checks all evidence against the log, and against heads that were kept elsewhere",
        notes: "Prints one JSON object. Ends with 1 where something is found.",
      },
    }),
  },
  documents: {
    room: "run",
    usage: "",
    about: "the documents in the bucket",
    acts: async () => ({
      audit: {
        usage: "[--remove-unnamed=COUNT] [--json]",
        about: "checks that each document has its object, and each object its row",
        options: {
          "remove-unnamed": "deletes the objects that no row names, if there are as many",
          json: "one JSON object for all, not one in each line",
        },
        notes: "Ends with 1 where something is found.",
      },
      "erase-again": {
        usage: "[--json]",
        about: "erases what had been erased, after the database was set back",
        options: { json: "the answer as JSON" },
        notes: `Reads the marks that the service leaves in the bucket (erased/), and removes what of them is in the database again. Before an api or a
worker is started. May be done again. Needs the operator's key. Ends with 1 where a story is held; release it, and do it again.`,
      },
    }),
  },
  backup: {
    room: "run",
    usage: "DIR [--json]",
    about: "copy the database and all documents into a new folder, as of one moment",
    notes: `It may run while the service does. The database is written by pg_dump, which must be on PATH. The documents stay sealed. Each file is
listed with its SHA-256. NOT in it: the operator's key, the HSM's tokens, KEY_PEPPER and the other secrets; keep these elsewhere, for
without them nothing of it can be opened.

Ends with 0 when it is whole, 1 when it is not or the bucket lacks a document, 2 when it was not understood.`,
  },
  restore: {
    room: "run",
    usage: "DIR [--json]",
    about: "bring a backup into an empty database and an empty bucket",
    notes: `Everything is checked before anything is written; where the database or the bucket is not empty, nothing is. Needs pg_restore on PATH.
What was erased after the backup, as far as the bucket has its marks (erased/), is erased again. Then: paraph doctor, paraph documents audit, paraph log check. Jobs that waited at the moment of the backup are done again, mails too.`,
  },
  cells: {
    room: "run",
    usage: "",
    about: "several cells behind a router, and businesses that move from one to another",
    acts: async () => (await import("./cells/acts.ts")).CELLS_ACTS,
    notes: `The cells are in CELLS_FILE, the directory is DIRECTORY_URL (or DIRECTORY_URL_FILE); docs/cells.md has both.
Each prints what was done, and with --json one JSON object.`,
  },
  export: {
    room: "sign",
    usage: "--output FILE [--json]",
    about: "all that a business has, in archives that paraph verify can check",
    options: { output: "the archive; where there are several, the others are numbered; never over a file" },
    notes: `For owners and admins, as people: PARAPH_URL says where, and PARAPH_TOKEN (or PARAPH_TOKEN_FILE) has the token of a session. An API key
may not do it.`,
  },
  completion: {
    room: "shell",
    usage: "bash|zsh|fish",
    about: "prints what a shell reads to complete commands, options and files",
    notes: `bash: eval "$(paraph completion bash)" in ~/.bashrc
zsh:  eval "$(paraph completion zsh)" in ~/.zshrc, after compinit
fish: paraph completion fish > ~/.config/fish/completions/paraph.fish`,
  },
  help: {
    room: "shell",
    usage: "[COMMAND] [ACT]",
    about: "says how one is used, as does --help after it; paraph help all says it of all",
  },
} as const satisfies Readonly<Record<string, Command>>

export type CommandName = keyof typeof COMMANDS

export const commandOf = (name: string): Command | undefined =>
  Object.hasOwn(COMMANDS, name) ? COMMANDS[name as CommandName] : undefined

export const actsOf = async (command: Command): Promise<Readonly<Record<string, Described>>> =>
  (await command.acts?.()) ?? {}
