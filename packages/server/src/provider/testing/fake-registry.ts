import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createOneTimeCertificate } from '@hykube/tfplugin/handshake'
import { currentPlatform } from '../install/find/platform.ts'
import { createSigner, type FakeSigner } from './fake-signer.ts'
import { makeZip, type ZipEntry } from './zip-writer.ts'

/** A package of a fake registry, valid unless a field says otherwise. */
export interface FakePackage {
  readonly namespace: string
  readonly type: string
  readonly version: string
  /** Default: this machine's. */
  readonly platform?: string
  /** Default: an executable script. */
  readonly files?: readonly ZipEntry[]
  /** Instead of files: the bytes as they are. */
  readonly archive?: Uint8Array
  /** Default `['6.0']`. */
  readonly protocols?: readonly string[]
  /** The signer. Default: the registry's own. */
  readonly signer?: FakeSigner
  /** The listed keys. Default: that of the registry's own signer. */
  readonly keys?: readonly FakeSigner[]
  /** The checksum in the download document. Default: the right one. */
  readonly shasum?: string
  /** The checksum in SHA256SUMS. Default: the right one. */
  readonly sum?: string
  /** Listed, but the download is missing. */
  readonly vanished?: boolean
  /** Hashes that the network mirror gives. Default: the right `zh:`. */
  readonly mirrorHashes?: readonly string[]
  /** Answers the request for the archive instead of the registry. */
  readonly serve?: (response: ServerResponse, archive: Uint8Array) => void
}

/** A received request. */
export interface FakeRequest {
  readonly path: string
  readonly authorization?: string
}

/**
 * A registry and a network mirror (`/mirror/`) on a free local port, with the protocols of the real ones, real keys and real
 * archives.
 */
export class FakeRegistry {
  readonly #server: Server
  readonly #packages: Served[] = []
  readonly #signer: FakeSigner
  readonly requests: FakeRequest[] = []
  /** The host and port in provider addresses. */
  readonly host: string
  /** The CA certificate to trust, in PEM; absent without TLS. */
  readonly certificate: string | undefined
  /** The required token, if there is one. */
  token: string | undefined
  /** Handles a request instead of the registry if it returns true. */
  intercept: ((path: string, response: ServerResponse) => boolean) | undefined

  private constructor(server: Server, host: string, certificate: string | undefined, signer: FakeSigner) {
    this.#server = server
    this.host = host
    this.certificate = certificate
    this.#signer = signer
  }

  static async start({ tls = false }: { readonly tls?: boolean } = {}): Promise<FakeRegistry> {
    const made = tls ? createOneTimeCertificate() : undefined
    const server =
      made === undefined ? createServer() : createTlsServer({ cert: made.certificatePem, key: made.keyPem })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const registry = new FakeRegistry(server, `localhost:${port}`, made?.certificatePem, await createSigner())
    server.on('request', (request: IncomingMessage, response: ServerResponse) => registry.#respond(request, response))
    return registry
  }

  get url(): string {
    return `${this.certificate === undefined ? 'http' : 'https'}://${this.host}`
  }

  get signer(): FakeSigner {
    return this.#signer
  }

  /** Publishes a package; returns the SHA-256 of its archive. */
  async publish(given: FakePackage): Promise<string> {
    const archive = given.archive ?? makeZip(given.files ?? [scriptOf(given)])
    const sha256 = createHash('sha256').update(archive).digest('hex')
    const platform = given.platform ?? currentPlatform()
    const filename = `terraform-provider-${given.type}_${given.version}_${platform}.zip`
    const others = `${'0'.repeat(64)}  terraform-provider-${given.type}_${given.version}_plan9_mips.zip\n`
    const sums = Buffer.from(`${given.sum ?? sha256}  ${filename}\n${others}`)
    const signature = await (given.signer ?? this.#signer).sign(sums)
    this.#packages.push({ given, archive, sha256, platform, filename, sums, signature })
    return sha256
  }

  /** Removes a version. */
  withdraw(type: string, version: string): void {
    const at = this.#packages.findIndex(({ given }) => given.type === type && given.version === version)
    if (at >= 0) this.#packages.splice(at, 1)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(new URL(request.url!, this.url).pathname)
    const { authorization } = request.headers
    this.requests.push({ path, ...(authorization !== undefined && { authorization }) })
    if (this.intercept?.(path, response) === true) return
    const answer = this.#answer(path, authorization)
    if (typeof answer === 'function') answer(response)
    else {
      const { status, content, type = 'application/octet-stream' } = answer
      response.writeHead(status, { 'content-type': type, 'content-length': content.length }).end(content)
    }
  }

  #answer(path: string, authorization: string | undefined): Answer {
    const [, room, ...parts] = path.split('/')
    const isOpen = room === 'files' || this.token === undefined || authorization === `Bearer ${this.token}`
    if (!isOpen) return { status: 401, content: nothing }
    if (room === '.well-known') return json({ 'providers.v1': '/providers/' })
    if (room === 'providers') return this.#registry(parts)
    if (room === 'mirror') return this.#mirror(parts)
    return room === 'files' ? this.#file(parts) : missing
  }

  #registry([namespace, type, version, , system, architecture]: string[]): Answer {
    const packages = this.#of(namespace, type)
    if (packages.length === 0) return missing
    if (version === 'versions') return json({ versions: packages.map(listed), warnings: null })
    const platform = `${system}_${architecture}`
    const found = packages.find((one) => one.given.version === version && one.platform === platform)
    if (found === undefined || found.given.vanished === true) return missing
    return json(this.#offer(found))
  }

  // URLs are relative, which the protocol allows.
  #offer({ given, filename, sha256, platform }: Served): object {
    const files = `../../../../../../../files/${given.namespace}/${given.type}/${given.version}`
    const [os, arch] = platform.split('_')
    return {
      protocols: given.protocols ?? ['6.0'],
      os,
      arch,
      filename,
      download_url: `${files}/${filename}`,
      shasums_url: `${files}/SHA256SUMS`,
      shasums_signature_url: `${files}/SHA256SUMS.sig`,
      shasum: given.shasum ?? sha256,
      signing_keys: {
        gpg_public_keys: (given.keys ?? [this.#signer]).map(({ armor }) => ({ key_id: '', ascii_armor: armor })),
      },
    }
  }

  #mirror([, namespace, type, document = '']: string[]): Answer {
    const packages = this.#of(namespace, type)
    if (packages.length === 0) return missing
    if (document === 'index.json')
      return json({ versions: Object.fromEntries(packages.map(({ given }) => [given.version, {}])) })
    const found = packages.filter(({ given }) => `${given.version}.json` === document)
    if (found.length === 0) return missing
    const archives = found.map(({ given, platform, filename, sha256 }) => [
      platform,
      {
        url: `/files/${namespace}/${type}/${given.version}/${filename}`,
        hashes: given.mirrorHashes ?? [`zh:${sha256}`],
      },
    ])
    return json({ archives: Object.fromEntries(archives) })
  }

  #file([namespace, type, version, name]: string[]): Answer {
    const packages = this.#of(namespace, type).filter(({ given }) => given.version === version)
    const [first] = packages
    if (first === undefined) return missing
    if (name === 'SHA256SUMS') return bytes(first.sums)
    if (name === 'SHA256SUMS.sig') return bytes(first.signature)
    const found = packages.find(({ filename }) => filename === name)
    if (found === undefined) return missing
    const { serve } = found.given
    return serve === undefined ? bytes(found.archive) : (response) => serve(response, found.archive)
  }

  #of(namespace: string | undefined, type: string | undefined): readonly Served[] {
    return this.#packages.filter(({ given }) => given.namespace === namespace && given.type === type)
  }
}

interface Served {
  readonly given: FakePackage
  readonly archive: Uint8Array
  readonly sha256: string
  readonly platform: string
  readonly filename: string
  readonly sums: Uint8Array
  readonly signature: Uint8Array
}

function scriptOf({ type, version }: FakePackage): ZipEntry {
  const content = `#!/bin/sh\necho ${type} ${version}\n`
  return { name: `terraform-provider-${type}_v${version}`, content, mode: 0o100755 }
}

function listed({ given, platform }: Served): object {
  const [os, arch] = platform.split('_')
  return { version: given.version, protocols: given.protocols ?? ['6.0'], platforms: [{ os, arch }] }
}

type Answer =
  | { readonly status: number; readonly content: Uint8Array; readonly type?: string }
  | ((response: ServerResponse) => void)

const nothing = new Uint8Array(0)
const missing: Answer = { status: 404, content: nothing }

function bytes(content: Uint8Array): Answer {
  return { status: 200, content }
}

function json(document: object): Answer {
  return { status: 200, content: Buffer.from(JSON.stringify(document)), type: 'application/json' }
}
