/** Text in Unicode's composed form, in which providers compare it. */
export function normalText(text: string): string {
  return ascii.test(text) ? text : text.normalize('NFC')
}

const ascii = /^[\x00-\x7f]*$/
