import type { I18n } from "@lingui/core"

/** What a change was about. Of a kind that this page does not know: something else. */
export function sayChange(i18n: I18n, kind: string): string {
  switch (kind) {
    case "signature":
      return i18n._("A signature")
    case "form-fill":
      return i18n._("A form field")
    case "annotation":
      return i18n._("A comment or note")
    case "validation-data":
      return i18n._("Data for later validation")
    case "timestamp":
      return i18n._("A time-stamp")
    case "metadata":
      return i18n._("Information about the document")
    case "structure":
      return i18n._("The inner structure of the document")
    case "page":
      return i18n._("A page")
    case "content":
      return i18n._("The content of a page")
    case "font":
      return i18n._("A typeface")
    case "image":
      return i18n._("A picture")
    case "action":
      return i18n._("Something that the document does by itself")
    default:
      return i18n._("Something else")
  }
}
