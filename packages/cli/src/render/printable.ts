/**
 * Escapes control characters, bidirectional overrides and zero-width characters as `\u` and four digits. Values, names and
 * error messages of other users may contain them, to hide, reorder or overwrite text on a terminal. Line feeds and tabs stay.
 * In JSON and in double-quoted YAML the escape means the same character.
 *
 * `colored` keeps the color sequences of {@link Style}, which cannot hide text.
 */
export function printable(text: string, colored: boolean): string {
  if (!unsafe.test(text)) return text
  return text.replace(colored ? unsafeOrColor : everyUnsafe, (found) => (isColor(found) ? found : escaped(found)))
}

/** Returns true when a text contains a character that is escaped. */
export function isUnprintable(text: string): boolean {
  return unsafe.test(text)
}

// C0 without tab and line feed, DEL and C1, soft hyphen, Arabic letter mark, Mongolian vowel separator, zero width and
// directional marks, line and paragraph separators, embeddings and overrides, invisible operators and isolates, the byte
// order mark, interlinear annotations, and tag characters.
const characters =
  '[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]|\\udb40[\\udc00-\\udc7f]'
// The sequences that picocolors writes for a Style.
const color = '\\x1b\\[(?:1|22|31|32|33|36|39|90)m'
const unsafe = new RegExp(characters)
const everyUnsafe = new RegExp(characters, 'g')
const unsafeOrColor = new RegExp(`${color}|${characters}`, 'g')

function isColor(found: string): boolean {
  return found.length > 2
}

function escaped(found: string): string {
  return found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
