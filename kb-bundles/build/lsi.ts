import { EigenvalueDecomposition, Matrix } from 'ml-matrix';

/** Sparse row: term index to weight. */
export type SparseRow = ReadonlyMap<number, number>;

/** Deterministic normal-ish numbers (sum of uniforms of a 32-bit generator). */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => next() + next() + next() + next() - 2;
}

/**
 * Leading right singular vectors by randomised subspace iteration (Halko, Martinsson and Tropp 2011), seeded, so that
 * the same rows give the same numbers.
 * @param rows `[rowCount]` sparse rows
 * @param termCount number of columns
 * @param rank singular vectors wanted
 * @returns `[termCount, rank]`, row-major, orthonormal columns
 */
export function rightSingularVectors(rows: readonly SparseRow[], termCount: number, rank: number): Float64Array {
  const width = Math.min(rank + 16, rows.length, termCount);
  const random = noise(20_261_129);
  let right = Float64Array.from({ length: termCount * width }, random);
  let left: Float64Array = new Float64Array();
  for (let pass = 0; pass < 4; pass++) {
    left = orthonormal(times(rows, right, width), rows.length, width);
    right = timesTransposed(rows, left, termCount, width);
  }
  // right = Aᵀ·left; its Gram matrix's eigenvectors turn it into singular vectors.
  const gram = new Matrix(width, width);
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let term = 0; term < termCount; term++) sum += (right[term * width + a] ?? 0) * (right[term * width + b] ?? 0);
      gram.set(a, b, sum);
      gram.set(b, a, sum);
    }
  }
  const eigen = new EigenvalueDecomposition(gram, { assumeSymmetric: true });
  const order = [...eigen.realEigenvalues.keys()].sort((a, b) => (eigen.realEigenvalues[b] ?? 0) - (eigen.realEigenvalues[a] ?? 0)).slice(0, rank);
  const out = new Float64Array(termCount * rank);
  order.forEach((column, to) => {
    const scale = Math.sqrt(Math.max(eigen.realEigenvalues[column] ?? 0, 1e-12));
    const vector = eigen.eigenvectorMatrix.getColumn(column);
    // The sign of an eigenvector is arbitrary; the largest part is made positive so that builds agree.
    const lead = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    const sign = lead < 0 ? -1 : 1;
    for (let term = 0; term < termCount; term++) {
      let sum = 0;
      for (let index = 0; index < width; index++) sum += (right[term * width + index] ?? 0) * (vector[index] ?? 0);
      out[term * rank + to] = (sign * sum) / scale;
    }
  });
  return out;
}

function times(rows: readonly SparseRow[], right: Float64Array, width: number): Float64Array {
  const out = new Float64Array(rows.length * width);
  rows.forEach((row, at) => {
    for (const [term, weight] of row) for (let column = 0; column < width; column++) out[at * width + column]! += weight * (right[term * width + column] ?? 0);
  });
  return out;
}

function timesTransposed(rows: readonly SparseRow[], left: Float64Array, termCount: number, width: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(termCount * width);
  rows.forEach((row, at) => {
    for (const [term, weight] of row) for (let column = 0; column < width; column++) out[term * width + column]! += weight * (left[at * width + column] ?? 0);
  });
  return out;
}

/** Gram-Schmidt, twice for accuracy, over columns held together; `[rowCount, width]` in and out, row-major. */
function orthonormal(values: Float64Array, rowCount: number, width: number): Float64Array<ArrayBuffer> {
  const columns = Array.from({ length: width }, (_, column) => Float64Array.from({ length: rowCount }, (_unused, row) => values[row * width + column] ?? 0));
  const dot = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let row = 0; row < rowCount; row++) sum += (a[row] ?? 0) * (b[row] ?? 0);
    return sum;
  };
  columns.forEach((column, at) => {
    for (let pass = 0; pass < 2; pass++) {
      for (let before = 0; before < at; before++) {
        const earlier = columns[before];
        if (earlier === undefined) continue;
        const along = dot(column, earlier);
        for (let row = 0; row < rowCount; row++) column[row]! -= along * (earlier[row] ?? 0);
      }
    }
    const norm = Math.sqrt(dot(column, column));
    for (let row = 0; row < rowCount; row++) column[row]! /= norm > 1e-12 ? norm : 1;
  });
  const out = new Float64Array(rowCount * width);
  columns.forEach((column, at) => column.forEach((value, row) => (out[row * width + at] = value)));
  return out;
}
