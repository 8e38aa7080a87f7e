// Names of people and companies, as callers and identity providers state them: what is accepted is one line of visible text, and
// what is shown of the rest has nothing in it that would be refused for its characters.

import { displayName, forbiddenCharacter } from "@paraph/core/names/characters"
import { isPlainName, readName } from "@paraph/core/names/read-name"
import { nameWarning } from "@paraph/core/names/scripts"
import { Refusal } from "@paraph/core/refusal"
import { must, type Target } from "../target.ts"
import { coded, inText, Nothing, texts } from "../texts.ts"

export const statedNames: Target = {
  name: "stated-name",
  kind: "words",
  words: [
    ...[
      "\n",
      "\r\n",
      "\u2028",
      "\u202e",
      "\u2066",
      "\u200b",
      "\u200c",
      "\u200d",
      "\ufeff",
      "\ufe0f",
      "\u{e0041}",
    ],
    ...["\u0301", "\u094d", "\u0338", "\u20dd", "\u3164", "\u3000", "\u00a0", "✔", "🇨🇭", "\ue000", "\u0378"],
    ...["QES", "Q.E.S.", "Ses", "eIDAS", "qualified", "électronique", "Signatur", "Ѕ", "Ε", "ꜱ", "5", "$"],
  ],
  seeds: () =>
    texts(
      ...["Anna Muster", "Sinéad O’Brien", "علی‌رضا محمدی", "രാജന്‍ നായര്‍", "佐々木 健", "Jens Weiß 3rd", ""],
      ...[
        "Anna Muster\nQualified electronic signature (QES), UBS AG",
        "Anna \u202eretsuM",
        "Аnna",
        "An\u200bna",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const given = inText(input)
    const shown = displayName(given)
    must(forbiddenCharacter(shown) === null, "what is shown has no forbidden character")
    must(!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|^\s|\s$|\s\s/u.test(shown), "what is shown is one line")
    must(displayName(shown) === shown, "what is shown is shown as it is")
    const name = coded(Refusal, () => readName("name", given))
    must(name !== "" && displayName(name) === name, "what is accepted is shown as it was accepted")
    must(readName("name", name) === name, "what is accepted is accepted again, unchanged")
    must(isPlainName(name), "what is accepted can be certified")
    must(readName("name", name.normalize("NFD")) === name, "composed or not, it is the same name")
    must(nameWarning(name) === nameWarning(` ${name} `), "spaces around a name warn of nothing")
  },
}
