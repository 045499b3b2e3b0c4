import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerCertificate } from '../http/index.ts'

/** The files of a serving certificate: `--tls-cert-file` and `--tls-private-key-file`. */
export interface CertificateFilePaths {
  readonly certificateFile: string
  readonly keyFile: string
}

export interface CertificateFollowing {
  /** Called with each new valid pair. */
  readonly onChange: (certificate: ServerCertificate) => void
  /** Called when the files can't be used; the previous pair stays in use. */
  readonly onProblem: (problem: Error) => void
  /** The polling interval in milliseconds. Default 1 s. */
  readonly interval?: number
}

/** Reads a certificate chain and its key. Throws an error that names the flag when they can't be used. */
export async function readCertificateFiles({
  certificateFile,
  keyFile,
}: CertificateFilePaths): Promise<ServerCertificate> {
  const certificate = await textOf('--tls-cert-file', certificateFile)
  const key = await textOf('--tls-private-key-file', keyFile)
  const parsed = attempt(
    '--tls-cert-file',
    certificateFile,
    'has no PEM certificate',
    () => new X509Certificate(certificate),
  )
  const privateKey = attempt('--tls-private-key-file', keyFile, 'has no unencrypted PEM private key', () =>
    createPrivateKey(key),
  )
  if (!parsed.checkPrivateKey(privateKey))
    throw new Error(
      `--tls-private-key-file ${keyFile} is not the key of the certificate in --tls-cert-file ${certificateFile}`,
    )
  return { certificate, key }
}

/**
 * Polls the files for changes, because mounted Secrets are replaced through symbolic links, which file notifications miss. The two files
 * change one after the other, so a mismatch may be resolved at the next poll. Returns a function that stops it.
 */
export function followCertificateFiles(
  paths: CertificateFilePaths,
  first: ServerCertificate,
  { onChange, onProblem, interval = 1000 }: CertificateFollowing,
): () => void {
  let current = first
  let problem = ''
  const poll = async () => {
    try {
      const read = await readCertificateFiles(paths)
      problem = ''
      if (read.certificate === current.certificate && read.key === current.key) return
      onChange(read)
      current = read
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) onProblem(error as Error)
      problem = message
    }
  }
  let polling = false
  const timer = setInterval(() => {
    if (polling) return
    polling = true
    void poll().finally(() => {
      polling = false
    })
  }, interval).unref()
  return () => clearInterval(timer)
}

async function textOf(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`cannot read ${flag} ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
  }
}

function attempt<T>(flag: string, file: string, problem: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new Error(`${flag} ${file} ${problem}`)
  }
}
