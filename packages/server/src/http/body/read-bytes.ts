import type { Request } from '../front/index.ts'
import { mediaTypes, parseMediaType } from '../negotiation.ts'
import { largeYaml, readYaml } from '../yaml/yaml-work.ts'

/** Reads the whole body of a request. Large YAML is converted to JSON on a thread; JSON is valid YAML. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const bytes = await request.body()
  if (bytes.length < largeYaml || bytes[0] === openBrace || !isYaml(request)) return bytes
  return Buffer.from(await readYaml(bytes, request))
}

function isYaml(request: Request): boolean {
  const { type } = parseMediaType(request.header('content-type')[0] ?? '')
  return type === mediaTypes.yaml || type === 'application/x-yaml' || type === 'application/apply-patch+yaml'
}

const openBrace = 0x7b
