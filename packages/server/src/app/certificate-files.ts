import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerCertificate } from '../http/index.ts'

/** Where a serving certificate lies: `--tls-cert-file` and `--tls-private-key-file`. */
export interface CertificateFilePaths {
  readonly certificateFile: string
  readonly keyFile: string
}

export interface CertificateFollowing {
  /** Called with each new pair that is good. */
  readonly onChange: (certificate: ServerCertificate) => void
  /** Called when what the files hold can't be used; the pair before stays in use. */
  readonly onProblem: (problem: Error) => void
  /** Between two looks, in milliseconds. Default 1 s. */
  readonly interval?: number
}

/** Reads a certificate chain and its key. Throws in words, naming the flag, when they can't be used. */
export async function readCertificateFiles({
  certificateFile,
  keyFile,
}: CertificateFilePaths): Promise<ServerCertificate> {
  const certificate = await textOf('--tls-cert-file', certificateFile)
  const key = await textOf('--tls-private-key-file', keyFile)
  const parsed = attempt(
    '--tls-cert-file',
    certificateFile,
    'holds no certificate in PEM',
    () => new X509Certificate(certificate),
  )
  const privateKey = attempt('--tls-private-key-file', keyFile, 'holds no unencrypted private key in PEM', () =>
    createPrivateKey(key),
  )
  if (!parsed.checkPrivateKey(privateKey))
    throw new Error(
      `--tls-private-key-file ${keyFile} is not the key of the certificate in --tls-cert-file ${certificateFile}`,
    )
  return { certificate, key }
}

/**
 * Follows the files by reading them again and again: mounted Secrets are replaced through symbolic links, which file
 * notifications miss. The two files change one after the other, so a pair that does not fit may fit at the next look.
 * Gives the function that ends it.
 */
export function followCertificateFiles(
  paths: CertificateFilePaths,
  first: ServerCertificate,
  { onChange, onProblem, interval = 1000 }: CertificateFollowing,
): () => void {
  let current = first
  let problem = ''
  const look = async () => {
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
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look().finally(() => {
      looking = false
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
