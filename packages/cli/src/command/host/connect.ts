import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type Transport } from '@hykube/runtime/client'
import { createHttpsTransport, kubeconfigFiles, loadKubeconfig } from '@hykube/runtime/client/node'
import { CommandError } from './failure.ts'
import type { GlobalFlags } from './flags.ts'
import type { Connection } from './host.ts'
import { distrustOf } from './nearby-kubeconfig.ts'
import { hykubeVersion } from './package-version.ts'
import type { Terminal } from './terminal.ts'

/** Finds a kubeconfig as kubectl does, and prepares the connection to its server. Sends nothing yet. */
export function connect(flags: GlobalFlags, terminal: Terminal): Connection {
  const access = loadKubeconfig(findFiles(flags, terminal), { context: flags.context, environment: process.env })
  const { transport, serverCertificateEnd, close } = createHttpsTransport(access, impersonation(flags))
  const client = new Client({
    transport: withWarnings(transport, terminal),
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
    terminal.err(`hykube: not using ${nearby}: ${distrust}; to use it anyway: --kubeconfig ${nearby}\n`)
  else if (!isGiven && existsSync(nearby)) {
    terminal.err(`hykube: using ${nearby}, because no kubeconfig was given\n`)
    return [nearby]
  }
  const files = kubeconfigFiles(kubeconfig, variable)
  if (files.length > 0) return files
  throw new CommandError(
    isGiven ? `KUBECONFIG is ${variable}, which does not exist` : 'found no kubeconfig',
    'Start a server in this directory:  hykube serve',
    'Use another server:                --kubeconfig FILE, or export KUBECONFIG=FILE',
  )
}

function impersonation({ as, asGroup = [] }: GlobalFlags): Record<string, string | readonly string[]> {
  return {
    ...(as === undefined ? {} : { 'impersonate-user': as }),
    ...(asGroup.length === 0 ? {} : { 'impersonate-group': asGroup }),
  }
}

// Prints each warning of the server once.
function withWarnings(transport: Transport, terminal: Terminal): Transport {
  const printed = new Set<string>()
  return async (request) => {
    const response = await transport(request)
    for (const [, text = ''] of (response.headers.warning ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      if (printed.has(text)) continue
      printed.add(text)
      terminal.err(`Warning: ${text.replace(/\\(.)/g, '$1')}\n`)
    }
    return response
  }
}
