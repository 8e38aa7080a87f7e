// The document as a whole: its layers, what it does by itself, and what its catalog says.

import { N, ref, stream } from "./contract.ts"
import { append, changed, type Objects, type Revision } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Attack, Technique } from "./technique.ts"

const BASES = ["table B-B P=none ×1", "stream B-B P=2 ×1 seen", "table B-B P=3 ×1 seen", "table B-LTA P=1 ×1"]

const technique = (
  kind: Attack["class"],
  name: string,
  revision: (base: SignedBase) => Revision,
): Technique => ({
  class: kind,
  name,
  expected: "undefined",
  on: (base) => BASES.includes(base.name),
  make: (base) => append(base, revision(base)),
})

const catalog =
  (entries: Readonly<Record<string, string | null>>, more: (base: SignedBase) => Objects = () => []) =>
  (base: SignedBase): Revision => ({
    objects: [[N.catalog, changed(base, N.catalog, entries)], ...more(base)],
  })

const SCRIPT = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>"
const layers = (d: string, more = ""): string =>
  `<< /OCGs [${ref(N.shownLayer)} ${ref(N.hiddenLayer)}] /D << ${d} >> ${more} >>`
const SWITCHED = `/ON [${ref(N.hiddenLayer)}] /OFF [${ref(N.shownLayer)}]`

const layer = (name: string, objects: Objects) => technique("layers", name, () => ({ objects }))
const action = (name: string, revision: (base: SignedBase) => Revision) => technique("action", name, revision)
const whole = (name: string, revision: (base: SignedBase) => Revision) =>
  technique("document", name, revision)

export const documents: readonly Technique[] = [
  layer("the other layer shown", [[N.layers, layers(SWITCHED)]]),
  layer("all layers shown", [[N.layers, layers("/BaseState /ON")]]),
  layer("no layer shown", [[N.layers, layers("/BaseState /OFF")]]),
  layer("layers that depend on whether they are printed", [
    [
      N.layers,
      layers(
        `/ON [${ref(N.shownLayer)}] /AS [<< /Event /Print /OCGs [${ref(N.hiddenLayer)}] /Category [/Print] >>]`,
      ),
    ],
    [N.hiddenLayer, "<< /Type /OCG /Name (Hidden) /Usage << /Print << /PrintState /ON >> >> >>"],
  ]),
  layer("layers that depend on the magnification", [
    [
      N.layers,
      layers(
        `/ON [${ref(N.shownLayer)}] /AS [<< /Event /View /OCGs [${ref(N.hiddenLayer)}] /Category [/Zoom] >>]`,
      ),
    ],
    [N.hiddenLayer, "<< /Type /OCG /Name (Hidden) /Usage << /Zoom << /min 1.5 >> >> >>"],
  ]),
  layer("another configuration", [
    [N.layers, layers(SWITCHED, `/Configs [<< /Name (other) ${SWITCHED} >>]`)],
  ]),
  layer("a layer that is a membership", [
    [N.hiddenLayer, `<< /Type /OCMD /OCGs ${ref(N.shownLayer)} /P /AllOn >>`],
  ]),
  layer("a layer under another name", [[N.shownLayer, "<< /Type /OCG /Name (Hidden) >>"]]),
  technique("layers", "no layers at all", catalog({ OCProperties: null })),

  action("a script when it is opened", catalog({ OpenAction: SCRIPT })),
  action(
    "an address when it is opened",
    catalog({ OpenAction: "<< /S /URI /URI (https://evil.example/) >>" }),
  ),
  action("another page when it is opened", catalog({ OpenAction: `[${ref(N.secondPage)} /Fit]` })),
  action(
    "a layer switched when it is opened",
    catalog({
      OpenAction: `<< /S /SetOCGState /State [/Toggle ${ref(N.hiddenLayer)} ${ref(N.shownLayer)}] >>`,
    }),
  ),
  action("a field hidden when it is opened", catalog({ OpenAction: "<< /S /Hide /T (amount) /H true >>" })),
  action("a program when it is opened", catalog({ OpenAction: "<< /S /Launch /F (evil.exe) >>" })),
  action(
    "another document when it is opened",
    catalog({ OpenAction: "<< /S /GoToR /F (evil.pdf) /D [0 /Fit] >>" }),
  ),
  action("a script before it is printed", catalog({ AA: `<< /WP ${SCRIPT} >>` })),
  action("a script before it is closed", catalog({ AA: `<< /WC ${SCRIPT} >>` })),
  action("a script by name", (base) => ({
    objects: [[N.names, changed(base, N.names, { JavaScript: `<< /Names [(a) ${SCRIPT}] >>` })]],
  })),
  action("a bookmark that leads elsewhere", (base) => ({
    objects: [[N.outline, changed(base, N.outline, { Dest: `[${ref(N.secondPage)} /Fit]` })]],
  })),
  action("a bookmark that runs a script", (base) => ({
    objects: [[N.outline, changed(base, N.outline, { Dest: null, A: SCRIPT })]],
  })),

  whole("another catalog", (base) => ({
    objects: [[base.free, `<< /Type /Catalog /Pages ${ref(N.preparedPages)} >>`]],
    root: base.free,
  })),
  whole("the catalog without a form", catalog({ AcroForm: null })),
  whole("another attached file", () => ({
    objects: [[N.attachedFile, stream("Other terms.", "/Type /EmbeddedFile")]],
  })),
  whole("a file attached", (base) => ({
    objects: [
      [
        N.names,
        changed(base, N.names, {
          EmbeddedFiles: `<< /Names [(a) ${ref(N.attachment)} (b) ${ref(N.attachment)}] >>`,
        }),
      ],
    ],
  })),
  whole(
    "a collection that is opened in its place",
    catalog({ Collection: "<< /Type /Collection /View /D /D (terms.txt) >>" }),
  ),
  whole("an associated file", catalog({ AF: `[${ref(N.attachment)}]` })),
  whole(
    "how it is to be shown",
    catalog({
      PageMode: "/FullScreen",
      ViewerPreferences: "<< /HideToolbar true /HideMenubar true /HideWindowUI true >>",
    }),
  ),
  whole("the names of its pages", catalog({ PageLabels: "<< /Nums [0 << /S /D /St 7 >>] >>" })),
  whole("named places", catalog({ Dests: `<< /amount [${ref(N.secondPage)} /Fit] >>` })),
  whole("addresses relative to another one", catalog({ URI: "<< /Base (https://evil.example/) >>" })),
  whole("its language", catalog({ Lang: "(de)" })),
  whole("no structure for those who do not see", catalog({ StructTreeRoot: null, MarkInfo: null })),
  whole(
    "a requirement that no reader meets",
    catalog({ Requirements: "[<< /Type /Requirement /S /EnableJavaScripts >>]" }),
  ),
  whole(
    "an intent of another colour",
    catalog({ OutputIntents: "[<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (x) >>]" }),
  ),
  whole("what may be done with it, by usage rights", catalog({ Perms: `<< /UR3 ${ref(N.info)} >>` })),
  whole("legal words that hide what it does", catalog({ Legal: "<< /JavaScriptActions 0 >>" })),
  whole("an encryption that it did not have", (base) => ({
    objects: [
      [base.free, `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${"00".repeat(32)}> /U <${"00".repeat(32)}> >>`],
    ],
    trailer: `/Encrypt ${ref(base.free)}`,
  })),
]
