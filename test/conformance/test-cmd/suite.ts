import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Files that the scripts need, by path in the Kubernetes module. */
const parts = [
  'test/cmd',
  'hack/lib',
  'hack/testdata',
  'test/fixtures',
  'test/e2e/testing-manifests',
  'third_party/forked/shell2junit',
]

/** Returns the functions of Kubernetes' kubectl suite in the order of its script. */
export function suiteFunctions(module: string): string[] {
  const script = readFileSync(join(module, 'test/cmd/legacy-script.sh'), 'utf8')
  return [...script.matchAll(/^\s*record_command (run_\w+)\s*$/gm)].map(([, name]) => name!)
}

/**
 * Creates a writable copy of the suite: the scripts write files next to themselves, and Go's module cache is read-only.
 */
export function copySuite(module: string, directory: string, kubectl: string): void {
  for (const part of parts) cpSync(join(module, part), join(directory, part), { recursive: true })
  makeWritable(directory)
  const programs = join(directory, 'programs')
  mkdirSync(programs)
  symlinkSync(kubectl, join(programs, 'kubectl'))
}

function makeWritable(directory: string): void {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || isProgram(path) ? 0o755 : 0o644)
  }
}

// Go's module cache does not preserve executable bits.
function isProgram(path: string): boolean {
  return path.endsWith('.sh') || /\/plugins\/(.*\/)?kubectl-[^/]*$/.test(path)
}
