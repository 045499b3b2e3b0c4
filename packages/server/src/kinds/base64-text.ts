const utf8 = new TextEncoder()

/** The base64 of a text's UTF-8 bytes. */
export function base64FromText(text: string): string {
  return utf8.encode(text).toBase64()
}

/** How many bytes a base64 text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}
