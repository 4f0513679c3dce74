import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createExactStore } from '../../src/store/exact-store.js';
import { testVectorStore } from '../conformance/vector-store.js';

const OPTIONS = { vectors: Float32Array.of(1, 0, 0, 1), dimension: 2 };

testVectorStore(createExactStore, { name: 'exact', runs: 150 });

describe('exact store where SIMD is missing', () => {
  // A browser without SIMD rejects the module as a whole, as a page does whose CSP forbids WebAssembly.
  beforeAll(() => {
    vi.spyOn(WebAssembly, 'Module').mockImplementation(refuse);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
  testVectorStore(createExactStore, { name: 'plain' });
});

describe('createExactStore', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('falls back to the plain store where WebAssembly is missing', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(createExactStore(OPTIONS).name).toBe('plain');
  });

  it('falls back to the plain store where memory is refused', () => {
    vi.spyOn(WebAssembly, 'Memory').mockImplementation(function () {
      throw new RangeError('could not allocate memory');
    });
    expect(createExactStore(OPTIONS).name).toBe('plain');
  });

  it('still reports wrong rows where WebAssembly is missing', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(() => createExactStore({ vectors: Float32Array.of(3, 4), dimension: 2 })).toThrow(RangeError);
  });
});

function refuse(): never {
  throw new WebAssembly.CompileError('WebAssembly.Module(): Compiling or instantiating WebAssembly module violates CSP');
}
