import { StatusError } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'

export async function patch(_api: Api, _context: RequestContext<ResourcePath>, _target: Target): Promise<Response> {
  throw new StatusError('UnsupportedMediaType', 'no patches yet')
}
