import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type ClusterAccess, type KubeconfigChoice, kubeconfigFromTexts, resolveAccess } from './kubeconfig.ts'
import { KubeconfigError } from './kubeconfig-error.ts'

/**
 * Returns the files that kubectl would read: the named one, else those in the variable KUBECONFIG, else ~/.kube/config.
 * Missing files are ignored, as in kubectl, except for a named one.
 */
export function kubeconfigFiles(named: string | undefined, variable: string | undefined): readonly string[] {
  if (named !== undefined) {
    if (!existsSync(named)) throw new KubeconfigError(`the kubeconfig ${named} does not exist`)
    return [named]
  }
  const listed = (variable ?? '').split(delimiter).filter((path) => path !== '')
  const files = listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')]
  return files.filter((path) => existsSync(path))
}

/** Reads kubeconfig files and resolves the chosen context. */
export function loadKubeconfig(files: readonly string[], choice: KubeconfigChoice = {}): ClusterAccess {
  const config = kubeconfigFromTexts(files.map((path) => ({ path, text: read(path) })))
  return resolveAccess(config, choice, read)
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
