import { release } from './packed.ts'

/**
 * The large arrays of one merge. All of them are given back at its end, at once: the next merge needs as much, and the
 * collector, which sees only small objects, would let several merges pass first.
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

  /** Nothing that was made here may be used afterwards. */
  release(): void {
    for (const { buffer, byteLength } of this.#made.splice(0)) release(new Uint8Array(buffer, 0, byteLength))
  }

  #keep<Made extends Uint8Array | Uint32Array | Int32Array | Float64Array>(array: Made): Made {
    this.#made.push(array)
    return array
  }
}
