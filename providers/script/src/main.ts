import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// A host starts a provider several times for one plan, so the compiled modules are cached.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/hykube-compiled', import.meta.url)))
const [{ serveProvider }, { scriptProvider }] = await Promise.all([
  import('@hykube/provider-sdk/serve'),
  import('./provider.ts'),
])
await serveProvider(scriptProvider)
