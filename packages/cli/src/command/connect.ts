import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type Transport } from '@hykube/runtime/client'
import { createHttpsTransport, kubeconfigFiles, loadKubeconfig } from '@hykube/runtime/client/node'
import { CommandError } from './failure.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Connection } from './host.ts'
import { distrustOf } from './nearby-kubeconfig.ts'
import { hykubeVersion } from './package-version.ts'
import type { Terminal } from './terminal.ts'

/** Finds a kubeconfig as kubectl does, and the server that it names. Nothing is sent yet. */
export function connect(flags: GlobalFlags, terminal: Terminal): Connection {
  const access = loadKubeconfig(findFiles(flags, terminal), { context: flags.context, environment: process.env })
  const { transport, serverCertificateEnd, close } = createHttpsTransport(access, impersonation(flags))
  const client = new Client({
    transport: telling(transport, terminal),
    fieldManager: 'hykube',
    userAgent: `hykube/${hykubeVersion()}`,
  })
  return {
    client,
    namespace: flags.namespace ?? access.namespace,
    ownNamespace: access.namespace,
    server: access.server,
    context: access.context,
    certificateEnd: serverCertificateEnd,
    close,
  }
}

const nearby = join('hykube-data', 'admin.kubeconfig')

function findFiles({ kubeconfig }: GlobalFlags, terminal: Terminal): readonly string[] {
  const variable = process.env.KUBECONFIG
  const isGiven = kubeconfig !== undefined || (variable !== undefined && variable !== '')
  const distrust = !isGiven && existsSync(nearby) ? distrustOf(nearby) : undefined
  if (distrust !== undefined)
    terminal.err(`hykube: not using ${nearby}: ${distrust}; if it is yours, name it: --kubeconfig ${nearby}\n`)
  else if (!isGiven && existsSync(nearby)) {
    terminal.err(`hykube: using ${nearby}, because no kubeconfig was given\n`)
    return [nearby]
  }
  const files = kubeconfigFiles(kubeconfig, variable)
  if (files.length > 0) return files
  throw new CommandError(
    isGiven ? `KUBECONFIG names ${variable}, which does not exist` : 'there is no kubeconfig, so no server is known',
    'Start a server in this directory:   hykube serve',
    'Or name the kubeconfig of another:  --kubeconfig FILE, or export KUBECONFIG=FILE',
  )
}

function impersonation({ as, asGroup = [] }: GlobalFlags): Record<string, string | readonly string[]> {
  return {
    ...(as === undefined ? {} : { 'impersonate-user': as }),
    ...(asGroup.length === 0 ? {} : { 'impersonate-group': asGroup }),
  }
}

// What the server warns of is for the person who asked, each once.
function telling(transport: Transport, terminal: Terminal): Transport {
  const told = new Set<string>()
  return async (request) => {
    const response = await transport(request)
    for (const [, text = ''] of (response.headers.warning ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      if (told.has(text)) continue
      told.add(text)
      terminal.err(`Warning: ${text.replace(/\\(.)/g, '$1')}\n`)
    }
    return response
  }
}
