import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** The header of deliveries and CRC checks, before the vocabulary renames it. */
export const SIGNATURE_HEADER = 'x-svc-webhooks-signature'

/** The signing key, prepared once for many signatures. */
export const signatureKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret))

/**
 * `sha256=` and the base64 HMAC-SHA256 of a text: the form of CRC responses and of delivery
 * signatures.
 */
export const signature = (secret: string | KeyObject, text: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`
