import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The compile cache keeps the result of type stripping, because tests start this program often.
enableCompileCache(fileURLToPath(new URL('../../../../../node_modules/.cache/hykube-compiled', import.meta.url)))
await import('./odd-provider-serve.ts')
