// The first module on the bundled Node: what was compiled and stripped of types once is not done again.
import { enableCompileCache } from 'node:module'

enableCompileCache(new URL('../node_modules/.cache/hykube-compiled', import.meta.url).pathname)
await import('../packages/cli/src/main.ts')
