/**
 * The inner loop of the exact store, in AssemblyScript. `build.js` compiles it into `scan-wasm.ts`.
 *
 * For each row it writes an upper bound of the row's cosine with the query:
 * `dot(codes, query) * scale * queryScale + error + slack`, and at least -1, the least a cosine can be.
 *
 * `codes` is `[rows, stride]` int8, row-major; `query` is `[stride]` int16; `scales`, `errors` and `upper` are `[rows]`
 * float32. `rows` is a multiple of 4, `stride` a multiple of 16, every address a multiple of 16. The caller keeps
 * `127 * max(abs(query)) * stride` below 2^31, so that no sum overflows.
 */
export function scan(codes: usize, query: usize, stride: usize, rows: usize, scales: usize, errors: usize, upper: usize, queryScale: f32, slack: f32): void {
  const scaleOfAll = f32x4.splat(queryScale);
  const slackOfAll = f32x4.splat(slack);
  const least = f32x4.splat(-1);
  let first = codes;
  // Four rows at a time, so that one load of the query serves four products.
  for (let done: usize = 0; done < rows << 2; done += 16) {
    const second = first + stride;
    const third = second + stride;
    const fourth = third + stride;
    let sumA = i32x4.splat(0);
    let sumB = i32x4.splat(0);
    let sumC = i32x4.splat(0);
    let sumD = i32x4.splat(0);
    for (let axis: usize = 0; axis < stride; axis += 16) {
      const low = v128.load(query + (axis << 1));
      const high = v128.load(query + (axis << 1), 16);
      sumA = i32x4.add(sumA, i32x4.dot_i16x8_s(v128.load_ext<i8>(first + axis), low));
      sumB = i32x4.add(sumB, i32x4.dot_i16x8_s(v128.load_ext<i8>(second + axis), low));
      sumC = i32x4.add(sumC, i32x4.dot_i16x8_s(v128.load_ext<i8>(third + axis), low));
      sumD = i32x4.add(sumD, i32x4.dot_i16x8_s(v128.load_ext<i8>(fourth + axis), low));
      sumA = i32x4.add(sumA, i32x4.dot_i16x8_s(v128.load_ext<i8>(first + axis, 8), high));
      sumB = i32x4.add(sumB, i32x4.dot_i16x8_s(v128.load_ext<i8>(second + axis, 8), high));
      sumC = i32x4.add(sumC, i32x4.dot_i16x8_s(v128.load_ext<i8>(third + axis, 8), high));
      sumD = i32x4.add(sumD, i32x4.dot_i16x8_s(v128.load_ext<i8>(fourth + axis, 8), high));
    }
    first = fourth + stride;
    const sumAB = i32x4.add(v128.shuffle<i32>(sumA, sumB, 0, 4, 1, 5), v128.shuffle<i32>(sumA, sumB, 2, 6, 3, 7));
    const sumCD = i32x4.add(v128.shuffle<i32>(sumC, sumD, 0, 4, 1, 5), v128.shuffle<i32>(sumC, sumD, 2, 6, 3, 7));
    const sums = i32x4.add(v128.shuffle<i32>(sumAB, sumCD, 0, 1, 4, 5), v128.shuffle<i32>(sumAB, sumCD, 2, 3, 6, 7));
    const dots = f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(v128.load(scales + done), scaleOfAll));
    const bounds = f32x4.add(dots, f32x4.add(v128.load(errors + done), slackOfAll));
    v128.store(upper + done, f32x4.max(bounds, least));
  }
}
