import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { root } from '../root.ts'

/**
 * Writes the type declarations of the entry points and of everything they refer to: `packages/X/src/Y.ts` becomes
 * `X/Y.d.ts`. Workspace names become relative paths, because users of the published package have no workspaces.
 */
export function writeDeclarations(directory: string, entries: readonly string[]): void {
  const options = compilerOptions()
  const program = ts.createProgram([...entries], options, workspaceHost(options))
  const emitted = emitDeclarations(program)
  const written = new Set<string>()
  const waiting = [...entries]
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (written.has(source)) continue
    written.add(source)
    const { text, used } = withPaths(emitted.get(source)!, source, options)
    const file = join(directory, `${placeOf(source)}.d.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, entries.includes(source) ? `${nodeTypes}${text}` : text)
    waiting.push(...used)
  }
}

// The declarations refer to AbortSignal and Buffer, but an author's tsconfig may exclude Node's types.
const nodeTypes = '/// <reference types="node" />\n'

function compilerOptions(): ts.CompilerOptions {
  const file = join(root, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, root)
  const { tsBuildInfoFile: _, ...rest } = options
  return { ...rest, noEmit: false, incremental: false, declaration: true, emitDeclarationOnly: true }
}

// TypeScript emits no declarations for files under node_modules, where workspaces are linked, so their real paths are
// resolved.
function workspaceHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const cache = ts.createModuleResolutionCache(root, (name) => name, options)
  host.resolveModuleNameLiterals = (literals, file, redirected, _, { impliedNodeFormat }) =>
    literals.map(({ text }) => {
      const found = ts.resolveModuleName(text, file, options, host, cache, redirected, impliedNodeFormat)
      const { resolvedModule: module } = found
      if (module === undefined || placeOf(module.resolvedFileName) === undefined) return found
      return { ...found, resolvedModule: { ...module, isExternalLibraryImport: false } }
    })
  return host
}

function emitDeclarations(program: ts.Program): Map<string, string> {
  const emitted = new Map<string, string>()
  const { diagnostics } = program.emit(undefined, (_file, text, _mark, _failed, [source] = []) => {
    if (source !== undefined) emitted.set(source.fileName, text)
  })
  if (diagnostics.length > 0)
    throw new Error(`cannot write declarations:\n${ts.formatDiagnostics(diagnostics, formatHost)}`)
  return emitted
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
}

/** Rewrites the module specifiers of a declaration, and returns the source files it refers to. */
function withPaths(
  text: string,
  source: string,
  options: ts.CompilerOptions,
): { readonly text: string; readonly used: readonly string[] } {
  const used: string[] = []
  let changed = text
  // From the end, so that the offsets of earlier specifiers stay valid.
  for (const specifier of specifiersIn(text).reverse()) {
    const target = ts.resolveModuleName(specifier.text, source, options, ts.sys).resolvedModule?.resolvedFileName
    if (specifier.text.startsWith('node:')) continue
    if (target === undefined || placeOf(target) === undefined)
      throw new Error(
        `cannot write declarations: ${source} refers to ${specifier.text}, which the package does not include`,
      )
    used.push(target)
    const path = relative(dirname(placeOf(source)!), placeOf(target)!)
    const written = `'${path.startsWith('.') ? path : `./${path}`}.js'`
    changed = changed.slice(0, specifier.getStart()) + written + changed.slice(specifier.end)
  }
  return { text: changed, used }
}

function specifiersIn(text: string): ts.StringLiteral[] {
  const found: ts.StringLiteral[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && namesModule(node.parent)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('declarations.d.ts', text, ts.ScriptTarget.Latest, true))
  return found
}

function namesModule(parent: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent))
  )
}

// `packages/X/src/Y.ts` becomes `X/Y`; undefined for files outside of the packages.
function placeOf(source: string): string | undefined {
  const match = /^packages\/([^/]+)\/src\/(.*)\.ts$/.exec(relative(root, source))
  return match === null ? undefined : `${match[1]}/${match[2]}`
}
