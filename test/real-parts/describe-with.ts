import { describe } from 'vitest'
import { findRealPart } from './obtain.ts'

/**
 * Tests that need real parts. Where one is missing they are skipped under a name that says which; `npm test` lists them
 * at its end. The body gets the path of each part, in the order asked for.
 */
export function describeWith(parts: readonly string[], name: string, body: (...paths: string[]) => void): void {
  const states = parts.map(findRealPart)
  const missing = states.filter((state) => state.kind === 'missing')
  const paths = states.map((state) => (state.kind === 'available' ? state.path : ''))
  const suffix = missing.length === 0 ? '' : ` [needs ${missing.map((state) => state.name).join(', ')}]`
  describe.skipIf(missing.length > 0)(`${name}${suffix}`, () => body(...paths))
}
