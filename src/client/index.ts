export type { Auth, OAuth2Client, OAuth2Options, OAuth2Tokens, TokenServer } from './auth.ts'
export { anonymous, appOnly, basic, bearer, oauth1, oauth2 } from './auth.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  AdsError,
  type AdsErrorEntry,
  ConnectionError,
  LegacyError,
  type LegacyErrorEntry,
  OAuth2Error,
  PlazaError,
  type Problem,
  ProblemError,
  StreamError,
} from './errors.ts'
export type * as ads from './generated/ads.ts'
export type * as core from './generated/core.ts'
export type { RateLimit, RateLimits } from './limits.ts'
export type { CallOptions, ReplyInfo, RetryOptions } from './options.ts'
export {
  authorizeUrl,
  type CodeExchange,
  exchangeCode,
  type Pkce,
  pkce,
  randomState,
  type SignIn,
} from './sign-in.ts'
export type { SignatureKeys, SignedRequest } from './signature.ts'
export type { EventStream, StreamOptions } from './stream.ts'
export type { Int64, Operation, PagedOperation, StreamOperation, Upload } from './types.ts'
export { UploadError, type UploadOptions, uploadMedia } from './upload.ts'
