import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// It is started often: what was stripped of types once is not done again.
enableCompileCache(fileURLToPath(new URL('../../../../../node_modules/.cache/hykube-compiled', import.meta.url)))
await import('./odd-provider-serve.ts')
