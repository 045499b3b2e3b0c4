import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** The shells that the program completes in, and a program that gives others a terminal of their own. */
export const shells: readonly RealPart[] = ['bash', 'zsh', 'fish', 'script'].map((name) => ({
  name,
  description: `the ${name} of this machine`,
  heavy: false,
  locate: () => onPath(name),
  remedy: `install ${name}`,
}))
