import { describe } from 'vitest'
import { findRealPart } from './obtain.ts'

/**
 * A test suite that needs real parts. If one is missing, the suite is skipped under a name that includes it, and `npm
 * test` lists it at the end. The body receives the paths of the parts in the requested order.
 */
export function describeWith(parts: readonly string[], name: string, body: (...paths: string[]) => void): void {
  const states = parts.map(findRealPart)
  const missing = states.filter((state) => state.kind === 'missing')
  const paths = states.map((state) => (state.kind === 'available' ? state.path : ''))
  const suffix = missing.length === 0 ? '' : ` [needs ${missing.map((state) => state.name).join(', ')}]`
  describe.skipIf(missing.length > 0)(`${name}${suffix}`, () => body(...paths))
}
