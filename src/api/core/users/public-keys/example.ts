export const EXAMPLE_KEY = {
  public_key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  signing_public_key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAF',
  identity_public_key_signature: 'MEUCIQ',
  public_key_version: '1767225600000',
}
