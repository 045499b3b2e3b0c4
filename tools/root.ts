import { resolve } from 'node:path'

/** Root directory of the repository. */
export const root = resolve(import.meta.dirname, '..')
