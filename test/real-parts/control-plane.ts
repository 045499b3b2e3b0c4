import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgram, keep, requireGo } from './go-programs.ts'
import type { RealPart } from './part.ts'
import { run } from './run.ts'

const remedy = 'install Go and run it again'

/**
 * etcd, for comparisons. `go install` rejects its module because of replace directives, so it is built from our own
 * main package.
 */
export const etcd: RealPart = {
  name: 'etcd',
  description: 'etcd 3.6.8, built here in a minute',
  heavy: true,
  locate: (cache) => builtProgram(cache, 'etcd'),
  obtain: (cache) =>
    build(cache, 'etcd', {
      'go.mod': 'module hykube.io/peer/etcd\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 v3.6.8\n',
      'main.go': program(['os', 'go.etcd.io/etcd/server/v3/etcdmain'], 'etcdmain.Main(os.Args)'),
    }),
  remedy,
}

const kubernetes = '1.36.3'

/** kube-apiserver, for comparisons. */
export const kubeApiserver: RealPart = {
  name: 'kube-apiserver',
  description: `kube-apiserver ${kubernetes}, built here in six to eight minutes`,
  heavy: true,
  locate: (cache) => builtProgram(cache, 'kube-apiserver'),
  obtain: async (cache) =>
    build(cache, 'kube-apiserver', {
      'go.mod': await apiserverModule(cache),
      'main.go': program(
        ['os', 'k8s.io/component-base/cli', 'k8s.io/kubernetes/cmd/kube-apiserver/app'],
        'os.Exit(cli.Run(app.NewAPIServerCommand()))',
      ),
    }),
  remedy,
}

// Kubernetes requires its staging modules at v0.0.0 and replaces them by local directories; here the published versions
// are used.
async function apiserverModule(cache: string): Promise<string> {
  const said = await run(requireGo(), ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetes}`], { cwd: cache })
  const { GoMod } = JSON.parse(said) as { GoMod: string }
  const text = readFileSync(GoMod, 'utf8')
  const parts = [...text.matchAll(/^\s+(k8s\.io\/\S+) v0\.0\.0(?:\s|$)/gm)].map(([, module]) => module!)
  const version = `v0${kubernetes.slice(1)}`
  const replacements = [...new Set(parts)].map((module) => `replace ${module} => ${module} ${version}`)
  const own = /^go \S+$/m.exec(text)?.[0] ?? 'go 1.26'
  return [
    'module hykube.io/peer/kube-apiserver',
    '',
    own,
    '',
    `require k8s.io/kubernetes v${kubernetes}`,
    ...replacements,
    '',
  ].join('\n')
}

function program(imports: readonly string[], main: string): string {
  return `package main\n\nimport (\n${imports.map((path) => `\t"${path}"`).join('\n')}\n)\n\nfunc main() {\n\t${main}\n}\n`
}

async function build(cache: string, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const scratch = join(cache, `${name}.build`)
  if (existsSync(scratch)) rmSync(scratch, { recursive: true })
  mkdirSync(scratch, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(scratch, file), text)
  const options = { cwd: scratch, env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' } }
  await run(requireGo(), ['build', '-ldflags=-s -w', '-o', name, '.'], options)
  keep(join(scratch, name), cache, name)
  rmSync(scratch, { recursive: true, force: true })
}
