export default async function stop() {
  await globalThis.plaza.close()
}
