/** The longest generated name; a longer base is truncated. */
export const maximumGeneratedNameLength = 63

/** Returns a number in [0, 1). */
export type Random = () => number

/**
 * Generates a name as Kubernetes does: the base, truncated to 58 characters, and five random ones. The alphabet has no
 * vowels, so that no words arise, and no characters that are easily confused (0, 1, 3).
 */
export function generateName(base: string, random: Random = Math.random): string {
  return base.slice(0, maximumGeneratedNameLength - suffixLength) + randomSuffix(suffixLength, random)
}

/** Returns random characters of the alphabet of generated names. */
export function randomSuffix(length: number, random: Random = Math.random): string {
  let suffix = ''
  while (suffix.length < length) suffix += alphabet[Math.floor(random() * alphabet.length)]
  return suffix
}

const suffixLength = 5
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
