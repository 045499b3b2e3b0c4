/** Normalizes text to NFC, as go-cty does with every string. */
export function normalText(text: string): string {
  return ascii.test(text) ? text : text.normalize('NFC')
}

const ascii = /^[\x00-\x7f]*$/
