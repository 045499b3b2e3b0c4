import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../root.ts'
import { policyRows } from './rows.ts'

/**
 * `node tools/bootstrap-rbac/main.ts [version]`: generates the server's bootstrap roles and bindings from a Kubernetes
 * release. Needs `go` to download the release.
 */
const version = process.argv[2] ?? 'v1.36.3'
const go = 'go'
const target = join(root, 'packages/server/src/auth/bootstrap/bootstrap-policy.generated.ts')

const downloaded = execFileSync(go, ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], { cwd: tmpdir() })
const { Dir: directory } = JSON.parse(downloaded.toString()) as { Dir: string }
const names = [
  'cluster-roles',
  'controller-roles',
  'namespace-roles',
  'cluster-role-bindings',
  'controller-role-bindings',
  'namespace-role-bindings',
]
const folder = join(directory, 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata')
const { roles, bindings } = policyRows(names.map((name) => readFileSync(join(folder, `${name}.yaml`), 'utf8')))

const table = (name: string, type: string, rows: readonly string[]) =>
  `export const ${name}: readonly ${type}[] = [\n${rows.map((row) => `  ${row},\n`).join('')}]\n`
writeFileSync(
  target,
  [
    `// Made by tools/bootstrap-rbac from Kubernetes ${version}; run it again rather than editing.`,
    "import type { BindingRow, RoleRow } from './policy-rows.ts'\n",
    table('roleRows', 'RoleRow', roles),
    table('bindingRows', 'BindingRow', bindings),
  ].join('\n'),
)
process.stdout.write(`${roles.length} roles and ${bindings.length} bindings of Kubernetes ${version}\n`)
