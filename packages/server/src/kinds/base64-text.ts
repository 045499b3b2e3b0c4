const utf8 = new TextEncoder()

/** Encodes a string's UTF-8 bytes as base64. */
export function base64FromText(text: string): string {
  return utf8.encode(text).toBase64()
}

/** Returns the decoded length of a base64 string in bytes. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}
