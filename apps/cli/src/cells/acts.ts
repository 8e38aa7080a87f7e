import { alsoJson, type Described } from "../synopsis.ts"

export const CELLS_ACTS: Readonly<Record<string, Described>> = alsoJson({
  init: { usage: "", about: "makes the tables of the directory (DIRECTORY_URL); may be done again" },
  status: {
    usage: "",
    about: "which business is in which cell, by the directory and by the cells themselves",
    notes: "Ends with 1 where they do not say the same, or a cell does not answer.",
  },
  move: {
    usage: "--business ID --to CELL [--patience SECONDS] [--grace SECONDS]",
    about: "moves a business to another cell; run again after a crash, it goes on",
    options: {
      patience:
        "how long its jobs under way may take to end; 120 where it is missing. Then everything is as it was",
      grace:
        "how long downloads from the old cell may take to end before its rows go; 30 where it is missing",
    },
    notes: `Objects are copied first, while everybody works. Then the business is answered with 503 until its rows are in the other cell, some
seconds or minutes. What cannot be moved is said before anything is begun.`,
  },
  cancel: {
    usage: "--business ID",
    about:
      "lets a business go on where it is, when a move was cut off before its rows were in the other cell",
  },
})
