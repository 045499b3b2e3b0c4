import { readFile } from 'node:fs/promises'
import {
  adminUser,
  type Authenticator,
  createAuthenticator,
  createCertificateAuthenticator,
  createServiceAccountAuthenticator,
  createStaticTokenAuthenticator,
  type Pki,
  ServiceAccountKeys,
  tokensFromCsv,
} from '../auth/index.ts'
import type { CompleteServeOptions } from './serve-options.ts'
