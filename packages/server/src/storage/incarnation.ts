import { randomInt } from 'node:crypto'

/**
 * A new incarnation: a random number that a store keeps beside its revision counter. A restore gives a new one, so that a
 * running server notices that its database became another one even where the counter did not go back.
 */
export function newIncarnation(): number {
  return randomInt(1, 2 ** 47)
}
