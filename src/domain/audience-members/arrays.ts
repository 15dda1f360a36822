import { release } from './packed.ts'

/**
 * The large arrays of one merge. They are freed explicitly at its end: to the garbage collector
 * they are small objects, so it would free them only after several further merges.
 */
export class Arrays {
  readonly #made: (Uint8Array | Uint32Array | Int32Array | Float64Array)[] = []

  bytes(length: number): Buffer {
    return this.#keep(Buffer.allocUnsafeSlow(length))
  }

  flags(length: number): Uint8Array {
    return this.#keep(new Uint8Array(length))
  }

  places(length: number): Uint32Array {
    return this.#keep(new Uint32Array(length))
  }

  links(length: number): Int32Array {
    return this.#keep(new Int32Array(length))
  }

  times(length: number): Float64Array {
    return this.#keep(new Float64Array(length))
  }

  /** Frees all arrays. None of them may be used afterwards. */
  release(): void {
    for (const { buffer, byteLength } of this.#made.splice(0)) release(new Uint8Array(buffer, 0, byteLength))
  }

  #keep<Made extends Uint8Array | Uint32Array | Int32Array | Float64Array>(array: Made): Made {
    this.#made.push(array)
    return array
  }
}
