/** The most characters a generated name has; a longer base is cut. */
export const maximumGeneratedNameLength = 63

/** A source of random numbers from 0 up to, but not including, 1. */
export type Random = () => number

/**
 * A name from a base: the base, cut to 58 characters, and five random ones. The letters leave out vowels, so that no
 * words arise, and what is easily mistaken.
 */
export function generateName(base: string, random: Random = Math.random): string {
  return base.slice(0, maximumGeneratedNameLength - suffixLength) + randomSuffix(suffixLength, random)
}

/** Random characters of the alphabet of generated names. */
export function randomSuffix(length: number, random: Random = Math.random): string {
  let suffix = ''
  while (suffix.length < length) suffix += alphabet[Math.floor(random() * alphabet.length)]
  return suffix
}

const suffixLength = 5
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
