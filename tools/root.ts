import { resolve } from 'node:path'

/** The directory of the repository. */
export const root = resolve(import.meta.dirname, '..')
