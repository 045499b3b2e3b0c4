import { access, constants, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallFailure } from '../install-failure.ts'
import { parsePackageFileName } from './package-file-name.ts'

/** Finds the provider's executable in a package. Without a type, the package must contain exactly one. */
export async function findExecutable(directory: string, type?: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => isProvider(name, type))
  const wanted = `terraform-provider-${type ?? '*'}`
  if (names.length === 0) throw missing(`there is no file ${wanted} in ${directory}`)
  if (names.length > 1) throw missing(`there are several files ${wanted} in ${directory}: ${names.sort().join(', ')}`)
  const executable = join(directory, names[0]!)
  await checkExecutable(executable)
  return executable
}

/** Fails with ExecutableMissing unless the file can be run. */
export async function checkExecutable(file: string): Promise<void> {
  try {
    await access(file, constants.X_OK)
  } catch (cause) {
    throw missing(`${file} can't be executed; set its executable permission`, cause)
  }
}

function isProvider(name: string, type: string | undefined): boolean {
  if (name.endsWith('.zip')) return false
  const parsed = parsePackageFileName(name)
  if (parsed !== undefined) return type === undefined || parsed.type === type
  // Some publishers append a version that isn't semver.
  return name === `terraform-provider-${type}` || name.startsWith(`terraform-provider-${type}_`)
}

function missing(what: string, cause?: unknown): InstallFailure {
  return new InstallFailure('ExecutableMissing', what, { cause })
}
