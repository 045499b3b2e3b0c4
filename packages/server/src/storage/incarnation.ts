import { randomInt } from 'node:crypto'

/**
 * Creates an incarnation: a random number that a store keeps beside its revision counter. A restore sets a new one, so
 * that a running server detects a replaced database even when its counter did not go back.
 */
export function newIncarnation(): number {
  return randomInt(1, 2 ** 47)
}
