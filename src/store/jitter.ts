/** How far a value is moved at most: some steps of a float32 near 1, and far below what changes a ranking. */
const JITTER = 1e-6;

/**
 * A row moved so little that its place hardly changes, and so that no two rows agree on an axis: the k-d tree of voy
 * panics when 33 rows of a leaf do.
 *
 * @param axes Length of the result; axes from `dimension` on hold jitter alone.
 */
export function addJitter(vectors: Float32Array, row: number, dimension: number, axes: number): number[] {
  const values = new Array<number>(axes);
  for (let axis = 0; axis < axes; axis++) {
    const value = axis < dimension ? vectors[row * dimension + axis]! : 0;
    values[axis] = Math.fround(value + JITTER * noise(row, axis));
  }
  return values;
}

/** Distance between a row and what `addJitter` made of it. */
export function distanceTo(vectors: Float32Array, row: number, dimension: number, values: readonly number[]): number {
  let sum = 0;
  for (let axis = 0; axis < values.length; axis++) {
    sum += (values[axis]! - (axis < dimension ? vectors[row * dimension + axis]! : 0)) ** 2;
  }
  return Math.sqrt(sum);
}

/** A number in [-1, 1) that depends on row and axis alone, so that two builds are alike. */
function noise(row: number, axis: number): number {
  let bits = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(axis + 1, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return (bits ^ (bits >>> 15)) / 2 ** 31;
}
